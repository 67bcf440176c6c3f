#include "wordbridge/aligners/training_session.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "wordbridge/base/error.h"

namespace wordbridge {

namespace {

using Json = nlohmann::ordered_json;

/// The optimizer's state as matrices: W, the gradient, the best W, and the numbers.
std::vector<MatrixD> pack(const OptimizerState& state) {
  MatrixD numbers(1, 6);
  numbers(0, 0) = state.loss;
  numbers(0, 1) = state.learning_rate;
  numbers(0, 2) = state.epoch;
  numbers(0, 3) = state.best_loss;
  numbers(0, 4) = state.start_norm;
  numbers(0, 5) = state.diverged ? 1 : 0;
  return {state.w, state.gradient, state.best, numbers};
}

OptimizerState unpack(std::vector<MatrixD> matrices) {
  OptimizerState state;
  state.w = std::move(matrices.at(0));
  state.gradient = std::move(matrices.at(1));
  state.best = std::move(matrices.at(2));
  const MatrixD& numbers = matrices.at(3);
  state.loss = numbers(0, 0);
  state.learning_rate = numbers(0, 1);
  state.epoch = static_cast<int>(numbers(0, 2));
  state.best_loss = numbers(0, 3);
  state.start_norm = numbers(0, 4);
  state.diverged = numbers(0, 5) != 0;
  return state;
}

}  // namespace

TrainingSession::TrainingSession(const TrainingSessionOptions& options) : log_(options.log) {
  if (options.checkpoint.empty()) return;
  checkpoint_.emplace(options.checkpoint, options.fingerprint);
  if (!options.resume) {
    if (checkpoint_->has_unfinished())
      throw UsageError(fmt::format("{}: holds the checkpoint of a run that has not ended: resume it, or remove it",
                                   options.checkpoint));
    return;
  }
  std::optional<CheckpointState> saved = checkpoint_->load();
  if (!saved) return;
  const Json state = Json::parse(saved->json);
  done_ = state.at("done").get<std::set<std::string>>();
  // The numbers of the records stand in a matrix, where they keep every bit.
  const std::vector<std::string> names = state.at("records");
  for (std::size_t i = 0; i < names.size(); ++i) records_[names[i]] = saved->matrices.at(0)(0, i);
  log_.restore(state.at("log").get<std::vector<std::string>>());
  current_ = state.at("training");
  saved->matrices.erase(saved->matrices.begin());
  if (!saved->matrices.empty()) state_ = unpack(std::move(saved->matrices));
}

OptimizerState TrainingSession::train(const std::string& name, Optimizer& optimizer, const MatrixD& start,
                                      const Observer& observer) {
  OptimizerState state = state_ && current_ == name ? std::move(*state_) : optimizer.start(start);
  state_.reset();
  return run(optimizer, std::move(state), [&](const Iteration& iteration, const OptimizerState& now) {
    log_.add(name, iteration);
    if (observer) observer(iteration, now);
    save(name, &now, false);
  });
}

void TrainingSession::finish(const std::string& name) {
  done_.insert(name);
  save(name, nullptr, false);
}

std::optional<double> TrainingSession::recorded(const std::string& name) const {
  const auto found = records_.find(name);
  return found == records_.end() ? std::nullopt : std::optional(found->second);
}

void TrainingSession::save(const std::string& name, const OptimizerState* state, bool finished) const {
  if (!checkpoint_) return;
  CheckpointState saved;
  saved.finished = finished;
  MatrixD numbers(1, records_.size());
  std::vector<std::string> names;
  for (const auto& [record, value] : records_) {
    numbers(0, names.size()) = value;
    names.push_back(record);
  }
  saved.json = Json{{"done", done_}, {"log", log_.lines()}, {"records", names}, {"training", name}}.dump();
  saved.matrices.push_back(std::move(numbers));
  if (state != nullptr)
    for (MatrixD& matrix : pack(*state)) saved.matrices.push_back(std::move(matrix));
  checkpoint_->save(saved);
}

}  // namespace wordbridge
