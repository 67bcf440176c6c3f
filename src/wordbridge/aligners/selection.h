#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/aligners/rcsls_options.h"
#include "wordbridge/aligners/rcsls_trainer.h"
#include "wordbridge/aligners/selection_score.h"
#include "wordbridge/aligners/training_session.h"

namespace wordbridge {

/// The settings of one training and what is taken of its outcome.
struct RcslsSettings {
  double learning_rate = 0;  // 0: no training at all, the start itself
  int epochs = 0;
  double blend = 0;  // W_start + blend (W_end − W_start)
  friend bool operator==(const RcslsSettings&, const RcslsSettings&) = default;
};

struct SelectionRow {
  RcslsSettings settings;
  std::optional<double> score;  // absent where training diverged
};

/// The table of what was tried.
struct Selection {
  std::string score_name;
  std::vector<SelectionRow> rows;  // the start first
  std::size_t chosen = 0;

  const RcslsSettings& settings() const { return rows[chosen].settings; }
};

/// Pairs to train on and the score to judge by.
struct SelectionFold {
  std::vector<Lexicon::Pair> pairs;
  std::unique_ptr<SelectionScore> score;
};

/// Tries every learning rate, number of epochs and blend of the grid, besides the start itself; one training a learning
/// rate serves all its numbers of epochs and blends ("Implementation details" in the paper). Scores are means over the
/// folds.
Selection select(const RcslsTrainer& trainer, std::span<const SelectionFold> folds, const SelectionOptions& grid,
                 TrainingSession& session);

/// The row of the best score; of equal ones the first. The first row where none has a score.
std::size_t best_row(std::span<const SelectionRow> rows);

/// start + blend (end − start), brought into the constraint's set where that lies between.
MatrixD blend_maps(const MatrixD& start, const MatrixD& end, double blend, const Constraint& constraint);

}  // namespace wordbridge
