#pragma once
#include <memory>
#include <span>
#include <vector>

#include "align/rcsls/rcsls_options.h"
#include "align/rcsls/rcsls_trainer.h"
#include "align/rcsls/selection_score.h"
#include "align/training/training_session.h"
#include "lexicon/split.h"

namespace wordbridge {

/// Tries every learning rate, number of epochs and blend of the grid, besides the start itself; one training a learning
/// rate serves all its numbers of epochs and blends ("Implementation details" in the paper). Trains on `pairs`, and
/// judges by `score`. `start`: shared by all of them, and with the training that follows; nullptr: by nobody.
SelectionReport select(const RcslsTrainer& trainer, std::span<const Lexicon::Pair> pairs, const SelectionScore& score,
                       const SelectionOptions& grid, TrainingSession& session, SharedStart* start = nullptr);

/// Some words of a small lexicon that are held out, and how maps translate them.
struct SelectionFold {
  Lexicon train;
  std::unique_ptr<const ValidationScore> score;
};

/// The same where words are few: the whole grid is tried without the words of each fold in turn, and judged by those of
/// all folds together. The start is kept unless a row has more of them right by more than a standard error: gained -
/// lost > sqrt(gained + lost); of such rows the best is taken.
SelectionReport select_by_folds(const RcslsTrainer& trainer, std::span<const SelectionFold> folds,
                                const SelectionOptions& grid, TrainingSession& session, SharedStart* start = nullptr);

/// The part of a grid that is safe with few words. These are frequent: they cannot tell how much a long way from the
/// start costs rare words, so the way must be short. Rates up to 25, the smallest number of epochs, and blends up to a
/// quarter, of which there is one at a tenth besides; where none is so small, the smallest.
SelectionOptions short_of(SelectionOptions grid);

/// The rarer half of the source words, dealt out to so many folds, each held out from all other pairs. None for
/// lexicons of fewer than two words.
std::vector<LexiconSplit> rare_folds(const Lexicon& lexicon, std::size_t folds, std::uint64_t seed);

/// The row of the best score; of equal ones the first. The first row where none has a score.
std::size_t best_row(std::span<const SelectionReport::Row> rows);

/// start + blend (end − start), brought into the constraint's set where that lies between.
MatrixD blend_maps(const MatrixD& start, const MatrixD& end, double blend, const Constraint& constraint);

}  // namespace wordbridge
