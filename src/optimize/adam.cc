#include "optimize/adam.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/random.h"

namespace wordbridge {

Adam::Adam(Objective& objective, const AdamOptions& options)
    : objective_(objective),
      options_(options),
      steps_of_pass_(static_cast<int>((objective.pairs() + options.batch - 1) / options.batch)) {}

OptimizerState Adam::start(MatrixD w) const {
  OptimizerState state;
  state.start_norm = frobenius_norm(w);
  state.learning_rate = options_.learning_rate;
  state.first_moment = MatrixD(w.rows(), w.cols());
  state.second_moment = MatrixD(w.rows(), w.cols());
  state.w = std::move(w);
  return state;
}

bool Adam::finished(const OptimizerState& state) const { return state.diverged || state.epoch >= steps(); }

Iteration Adam::step(OptimizerState& state) {
  constexpr double kFirst = 0.9, kSecond = 0.999, kLeast = 1e-8;
  const int pass = state.epoch / steps_of_pass_, part = state.epoch % steps_of_pass_;
  if (pass != pass_) {
    order_.resize(objective_.pairs());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    Random(stream_seed(options_.seed, static_cast<std::uint64_t>(pass))).shuffle(order_);
    pass_ = pass;
  }
  // Batches of a pass are of the same size but for one pair.
  const auto edge = [&](int k) {
    return order_.size() * static_cast<std::size_t>(k) / static_cast<std::size_t>(steps_of_pass_);
  };
  const ObjectiveValue value =
      objective_.evaluate_batch(state.w, std::span(order_).subspan(edge(part), edge(part + 1) - edge(part)));
  Iteration iteration{.epoch = state.epoch, .loss = value.loss(), .step = state.learning_rate};
  MatrixD w = state.w;
  const int t = state.epoch + 1;
  const double first = 1 - std::pow(kFirst, t), second = 1 - std::pow(kSecond, t);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double gradient = value.gradient_sum.data()[i] / value.pairs;
    double &m = state.first_moment.data()[i], &v = state.second_moment.data()[i];
    m += (1 - kFirst) * (gradient - m);
    v += (1 - kSecond) * (gradient * gradient - v);
    w.data()[i] -= state.learning_rate * (m / first) / (std::sqrt(v / second) + kLeast);
  }
  iteration.norm = frobenius_norm(w);
  if (!std::isfinite(iteration.loss) || !is_sound(state, iteration.norm)) {
    state.diverged = true;
    iteration.outcome = StepOutcome::diverged;
    return iteration;
  }
  state.w = std::move(w);
  state.loss = iteration.loss;
  ++state.epoch;
  state.learning_rate = options_.learning_rate * (1 - double(state.epoch) / steps());
  return iteration;
}

}  // namespace wordbridge
