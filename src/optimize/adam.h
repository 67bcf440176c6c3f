#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/objective.h"
#include "optimize/optimizer.h"

namespace wordbridge {

struct AdamOptions {
  double learning_rate = 0.008;  // falls linearly to 0 over the run
  int passes = 12;               // over all pairs
  std::size_t batch = 512;       // pairs a step, at most
  std::uint64_t seed = 1;        // of the order of the pairs
};

/// Adam (Kingma and Ba 2015) with its usual constants: each element moves by its mean gradient over the root of its
/// mean squared gradient, W ← W − r m̂ / (√v̂ + ε). A step is a mini-batch; each pass goes through all pairs in an order
/// of its own.
class Adam : public Optimizer {
 public:
  /// The objective must outlive this.
  Adam(Objective& objective, const AdamOptions& options);

  OptimizerState start(MatrixD w) const override;
  bool finished(const OptimizerState& state) const override;
  Iteration step(OptimizerState& state) override;

  int steps() const { return steps_of_pass_ * options_.passes; }

 private:
  Objective& objective_;
  AdamOptions options_;
  int steps_of_pass_;
  int pass_ = -1;                   // that `order_` is for
  std::vector<std::size_t> order_;  // of the pairs
};

}  // namespace wordbridge
