#pragma once
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "optimize/objective.h"

namespace wordbridge {

/// A function of a 1 x 1 map, for runs that can be followed by hand. It claims some pairs; a batch has the same loss.
class ScalarObjective : public Objective {
 public:
  ScalarObjective(std::function<double(double)> loss, std::function<double(double)> derivative, std::size_t pairs = 1)
      : loss_(std::move(loss)), derivative_(std::move(derivative)), pairs_(pairs) {}

  std::size_t pairs() const override { return pairs_; }
  ObjectiveValue evaluate(ConstMatrixViewD w) override;
  ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) override;

  std::vector<double> evaluated;                  // where, in order
  std::vector<std::vector<std::size_t>> batches;  // with which pairs

 private:
  std::function<double(double)> loss_, derivative_;
  std::size_t pairs_;
};

/// w².
ScalarObjective square_objective(std::size_t pairs = 1);

/// The 1 x 1 matrix.
MatrixD scalar(double value);

}  // namespace wordbridge
