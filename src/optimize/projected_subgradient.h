#pragma once
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

}  // namespace wordbridge
