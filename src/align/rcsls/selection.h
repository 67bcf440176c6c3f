#pragma once
#include <span>

#include "align/rcsls/rcsls_options.h"
#include "align/rcsls/rcsls_trainer.h"
#include "align/rcsls/selection_score.h"
#include "align/training/training_session.h"

namespace wordbridge {

/// Tries every learning rate, number of epochs and blend of the grid, besides the start itself; one training a learning
/// rate serves all its numbers of epochs and blends ("Implementation details" in the paper). Trains on `pairs`, and
/// judges by `score`. `start`: shared by all of them, and with the training that follows; nullptr: by nobody.
SelectionReport select(const RcslsTrainer& trainer, std::span<const Lexicon::Pair> pairs, const SelectionScore& score,
                       const SelectionOptions& grid, TrainingSession& session, SharedStart* start = nullptr);

/// The row of the best score; of equal ones the first. The first row where none has a score.
std::size_t best_row(std::span<const SelectionReport::Row> rows);

/// start + blend (end − start), brought into the constraint's set where that lies between.
MatrixD blend_maps(const MatrixD& start, const MatrixD& end, double blend, const Constraint& constraint);

}  // namespace wordbridge
