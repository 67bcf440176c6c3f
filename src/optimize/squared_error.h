#pragma once
#include <utility>

#include "optimize/objective.h"
#include "optimize/training_pairs.h"

namespace wordbridge {

/// The square loss of Mikolov 2013 (the paper's first equation): the mean of ‖W x_i − y_i‖² over the pairs, by their
/// weights.
class SquaredError : public Objective {
 public:
  explicit SquaredError(TrainingPairs words) : words_(std::move(words)) {}

  std::size_t pairs() const override { return words_.size(); }
  ObjectiveValue evaluate(ConstMatrixViewD w) override;
  ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) override;

 private:
  ObjectiveValue evaluate_pairs(ConstMatrixViewD w, std::span<const Lexicon::Pair> pairs) const;

  TrainingPairs words_;
};

}  // namespace wordbridge
