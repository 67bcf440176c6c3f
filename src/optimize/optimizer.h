#pragma once
#include <cstdint>
#include <functional>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// What became of one step.
enum class StepOutcome {
  accepted,
  rolled_back,  // the loss rose: the learning rate was halved
  diverged,     // W exploded or is not finite: the run is over, and W is the best one before
};

/// A line of the log.
struct Iteration {
  int epoch = 0;    // were the run to end here, it would be one of so many epochs
  double loss = 0;  // of the W that this step tried (monotone) or started from (reference, stochastic)
  double step = 0;  // the learning rate of this step; 0 where only the start was evaluated
  StepOutcome outcome = StepOutcome::accepted;
  double norm = 0;                              // Frobenius norm of the W that came out
  std::uint64_t searched = 0, saved_scans = 0;  // scans of a table for a query: done, and saved by bounds
  double seconds = 0;
};

/// All that the rest of a run depends on: kept between steps, written to checkpoints.
struct OptimizerState {
  MatrixD w;         // d_t x d_s; the result, were the run to end here
  MatrixD gradient;  // the mean subgradient at w, where the schedule keeps it
  double loss = 0;   // the loss that the next one is compared with
  double learning_rate = 0;
  int epoch = 0;  // of the next step
  MatrixD best;   // the W with the lowest loss so far and its loss: what is left after a divergence
  double best_loss = 0;
  double start_norm = 0;  // ‖W‖ at the start, the measure of an explosion
  bool diverged = false;
  MatrixD first_moment, second_moment;  // of the gradient, where the optimizer keeps them
};

/// Minimizes an objective step by step; the state lies outside, so that a run can stop anywhere and go on elsewhere.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual OptimizerState start(MatrixD w) const = 0;
  virtual bool finished(const OptimizerState& state) const = 0;
  /// One step; must not be called on a finished state.
  virtual Iteration step(OptimizerState& state) = 0;
};

using IterationObserver = std::function<void(const Iteration& iteration, const OptimizerState& state)>;

/// Steps until finished, telling the observer of each step.
OptimizerState run(Optimizer& optimizer, OptimizerState state, const IterationObserver& observer);

/// The largest ‖W‖ that is not an explosion, as a multiple of the start's. A sound run at the paper's largest settings
/// stays below 20; the loss is positively homogeneous, so beyond this it is only the scale that grows.
constexpr double kLargestGrowth = 1000;

/// ‖W‖ in the Frobenius norm.
double frobenius_norm(ConstMatrixViewD w);

/// True where ‖W‖ = `norm` is finite and no explosion.
bool is_sound(const OptimizerState& state, double norm);

/// (1 − lr l2) W − lr G: a step, and the decay that comes before it.
MatrixD descend(ConstMatrixViewD w, ConstMatrixViewD gradient, double learning_rate, double l2);

}  // namespace wordbridge
