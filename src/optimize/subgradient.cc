#include "optimize/subgradient.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "base/random.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The mean of the gradient, in place of its sum.
MatrixD mean_gradient(ObjectiveValue& value) {
  for (double& element : value.gradient_sum.elements()) element /= value.pairs;
  return std::move(value.gradient_sum);
}

Iteration diverge(OptimizerState& state, Iteration iteration) {
  iteration.outcome = StepOutcome::diverged;
  state.diverged = true;
  state.w = state.best;
  return iteration;
}

}  // namespace

ProjectedSubgradient::ProjectedSubgradient(Objective& objective, const Constraint& constraint,
                                           ProjectedSubgradientOptions options)
    : objective_(objective), constraint_(constraint), options_(options) {
  if (!(options.learning_rate > 0) || !std::isfinite(options.learning_rate))
    throw UsageError("the learning rate must be above 0");
  if (options.epochs < 0) throw UsageError("the number of epochs must not be negative");
  if (!(options.l2 >= 0) || !std::isfinite(options.l2)) throw UsageError("the l2 factor must not be negative");
}

OptimizerState ProjectedSubgradient::start(MatrixD w) const {
  OptimizerState state;
  // The script takes its start as it is; a schedule that compares losses must compare members of the set only.
  state.w = options_.schedule == Schedule::monotone ? constraint_.project(std::move(w)) : std::move(w);
  state.learning_rate = options_.learning_rate;
  state.start_norm = frobenius_norm(state.w);
  state.best = state.w;
  state.best_loss = std::numeric_limits<double>::infinity();
  return state;
}

bool ProjectedSubgradient::finished(const OptimizerState& state) const {
  return state.diverged || state.epoch > options_.epochs || state.learning_rate < options_.smallest_learning_rate;
}

Iteration ProjectedSubgradient::step(OptimizerState& state) {
  assert(!finished(state));
  const auto begin = std::chrono::steady_clock::now();
  Iteration iteration = options_.schedule == Schedule::monotone ? step_monotone(state) : step_reference(state);
  iteration.epoch = state.epoch++;
  iteration.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return iteration;
}

Iteration ProjectedSubgradient::step_monotone(OptimizerState& state) {
  Iteration iteration;
  const bool first = state.epoch == 0;
  iteration.step = first ? 0 : state.learning_rate;
  MatrixD candidate = first ? state.w : descend(state.w, state.gradient, state.learning_rate, options_.l2);
  iteration.norm = frobenius_norm(candidate);
  if (!is_sound(state, iteration.norm)) return diverge(state, iteration);
  if (!first) candidate = constraint_.project(std::move(candidate));
  iteration.norm = frobenius_norm(candidate);

  ObjectiveValue value = objective_.evaluate(candidate);
  iteration.loss = value.loss();
  iteration.searched = value.searched;
  iteration.saved_scans = value.saved_scans;
  if (!std::isfinite(iteration.loss)) return diverge(state, iteration);
  const double regularized = iteration.loss + options_.l2 / 2 * iteration.norm * iteration.norm;
  if (!first && regularized > state.loss) {
    state.learning_rate /= 2;
    iteration.outcome = StepOutcome::rolled_back;
    iteration.norm = frobenius_norm(state.w);
    return iteration;
  }
  state.loss = state.best_loss = regularized;
  state.gradient = mean_gradient(value);
  state.w = std::move(candidate);
  state.best = state.w;
  return iteration;
}

Iteration ProjectedSubgradient::step_reference(OptimizerState& state) {
  Iteration iteration;
  iteration.step = state.learning_rate;
  ObjectiveValue value = objective_.evaluate(state.w);
  iteration.loss = value.loss();
  iteration.searched = value.searched;
  iteration.saved_scans = value.saved_scans;
  if (iteration.loss < state.best_loss) {
    state.best_loss = iteration.loss;
    state.best = state.w;
  }
  MatrixD stepped = descend(state.w, mean_gradient(value), state.learning_rate, options_.l2);
  iteration.norm = frobenius_norm(stepped);
  if (!std::isfinite(iteration.loss) || !is_sound(state, iteration.norm)) return diverge(state, iteration);
  if (state.epoch > 0 && iteration.loss > state.loss) {
    state.learning_rate /= 2;
    state.w = std::move(stepped);
    iteration.outcome = StepOutcome::rolled_back;
  } else {
    state.loss = iteration.loss;
    state.w = constraint_.project(std::move(stepped));
    iteration.norm = frobenius_norm(state.w);
  }
  return iteration;
}

StochasticSubgradient::StochasticSubgradient(Objective& objective, const Constraint& constraint,
                                             StochasticSubgradientOptions options)
    : objective_(objective), constraint_(constraint), options_(options) {
  if (!(options.learning_rate > 0) || !std::isfinite(options.learning_rate))
    throw UsageError("the learning rate must be above 0");
  if (options.epochs < 0) throw UsageError("the number of epochs must not be negative");
  if (options.batch == 0) throw UsageError("a batch must hold one pair at least");
  if (!(options.l2 >= 0) || !std::isfinite(options.l2)) throw UsageError("the l2 factor must not be negative");
}

OptimizerState StochasticSubgradient::start(MatrixD w) const {
  OptimizerState state;
  state.w = std::move(w);
  state.learning_rate = options_.learning_rate;
  state.start_norm = frobenius_norm(state.w);
  state.best = state.w;
  state.best_loss = std::numeric_limits<double>::infinity();
  state.epoch = options_.one_step_more ? 0 : 1;
  return state;
}

bool StochasticSubgradient::finished(const OptimizerState& state) const {
  return state.diverged || state.epoch > options_.epochs;
}

std::vector<std::size_t> StochasticSubgradient::draw(int epoch) const {
  // Odd multiples of the golden ratio keep the seeds of neighboring epochs apart.
  constexpr std::uint64_t kStride = 0x9E3779B97F4A7C15;
  Random random(options_.seed + kStride * (2 * static_cast<std::uint64_t>(epoch) + 1));
  return random.sample(objective_.pairs(), std::min(options_.batch, objective_.pairs()));
}

Iteration StochasticSubgradient::step(OptimizerState& state) {
  assert(!finished(state));
  const auto begin = std::chrono::steady_clock::now();
  Iteration iteration;
  iteration.epoch = state.epoch++;
  iteration.step = state.learning_rate;
  ObjectiveValue value = objective_.evaluate_batch(state.w, draw(iteration.epoch));
  iteration.loss = value.loss();
  iteration.searched = value.searched;
  iteration.saved_scans = value.saved_scans;
  for (double& element : value.gradient_sum.elements()) element /= value.pairs;
  MatrixD stepped = descend(state.w, value.gradient_sum, state.learning_rate, options_.l2);
  iteration.norm = frobenius_norm(stepped);
  if (!std::isfinite(iteration.loss) || !is_sound(state, iteration.norm)) {
    // The losses of batches cannot be compared: the last sound W is the one to keep.
    iteration.outcome = StepOutcome::diverged;
    state.diverged = true;
  } else {
    state.w = constraint_.project(std::move(stepped));
    state.loss = state.best_loss = iteration.loss;
    state.best = state.w;
    iteration.norm = frobenius_norm(state.w);
  }
  iteration.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return iteration;
}

}  // namespace wordbridge
