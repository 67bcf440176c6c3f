#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/constraint.h"
#include "optimize/objective.h"
#include "optimize/optimizer.h"

namespace wordbridge {

/// How the learning rate falls.
enum class Schedule {
  /// A step is tried: W' = project((1 − lr l2) W − lr G). Where the loss (with l2/2 ‖W‖²) rises, it is taken back
  /// and lr halved. An epoch is one tried step; the last one is evaluated too.
  monotone,
  /// The published script, to the letter: it evaluates f at W_t, steps, projects, and where f(W_t) is above the
  /// remembered value halves lr and keeps the remembered value; but what it then goes back to is the stepped,
  /// unprojected matrix. epochs + 1 steps are taken (t = 0 .. epochs), and the last one is not evaluated.
  reference,
};

struct ProjectedSubgradientOptions {
  double learning_rate = 25;
  int epochs = 10;
  double l2 = 0;  // weight decay: W ← (1 − lr l2) W before each step
  Schedule schedule = Schedule::monotone;
  double smallest_learning_rate = 1e-4;  // the run ends when halving comes below
};

/// Projected subgradient descent on all pairs ("Convex relaxation" and "Implementation details" in the paper).
class ProjectedSubgradient : public Optimizer {
 public:
  /// The objective and the constraint must outlive this.
  ProjectedSubgradient(Objective& objective, const Constraint& constraint, ProjectedSubgradientOptions options);

  OptimizerState start(MatrixD w) const override;
  bool finished(const OptimizerState& state) const override;
  Iteration step(OptimizerState& state) override;

 private:
  Iteration step_monotone(OptimizerState& state);
  Iteration step_reference(OptimizerState& state);

  Objective& objective_;
  const Constraint& constraint_;
  ProjectedSubgradientOptions options_;
};

struct StochasticSubgradientOptions {
  double learning_rate = 25;
  int epochs = 10;           // steps, one batch each
  std::size_t batch = 1000;  // pairs a step; all of them where there are fewer
  double l2 = 0;             // weight decay: W ← (1 − lr l2) W before each step
  std::uint64_t seed = 0;
  bool one_step_more = false;  // as the published script, which counts its steps from 0 to `epochs`
};

/// Projected subgradient steps on independent draws of pairs: each without replacement, one step each, at a constant
/// learning rate, nothing taken back.
class StochasticSubgradient : public Optimizer {
 public:
  /// The objective and the constraint must outlive this.
  StochasticSubgradient(Objective& objective, const Constraint& constraint, StochasticSubgradientOptions options);

  OptimizerState start(MatrixD w) const override;
  bool finished(const OptimizerState& state) const override;
  Iteration step(OptimizerState& state) override;

  /// The pairs that the step of that epoch uses: a function of seed and epoch alone, so that a run can be resumed
  /// anywhere.
  std::vector<std::size_t> draw(int epoch) const;

 private:
  Objective& objective_;
  const Constraint& constraint_;
  StochasticSubgradientOptions options_;
};

}  // namespace wordbridge
