#include "align/training/training_session.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "base/json.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

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

OptimizerState unpack(std::span<const MatrixD> matrices) {
  OptimizerState state;
  state.w = matrices[0];
  state.gradient = matrices[1];
  state.best = matrices[2];
  const MatrixD& numbers = matrices[3];
  state.loss = numbers(0, 0);
  state.learning_rate = numbers(0, 1);
  state.epoch = static_cast<int>(numbers(0, 2));
  state.best_loss = numbers(0, 3);
  state.start_norm = numbers(0, 4);
  state.diverged = numbers(0, 5) != 0;
  return state;
}

}  // namespace

void check(const TrainingSessionOptions& options) {
  if (options.resume && options.checkpoint.empty()) throw UsageError("to resume, name the checkpoint's folder");
}

TrainingSession::TrainingSession(const TrainingSessionOptions& options, const Checkpoint::Fingerprint& fingerprint)
    : options_(options) {
  check(options_);
  if (!writes()) options_.log.clear();
  if (options_.shared_log == nullptr) options_.shared_log = std::make_shared<IterationLog>(options_.log);
  if (options_.checkpoint.empty()) return;
  if (writes()) open_checkpoint(fingerprint);
  if (options_.communicator != nullptr) share_resumed();
  if (resumed_) restore_log();
}

void TrainingSession::open_checkpoint(const Checkpoint::Fingerprint& fingerprint) {
  checkpoint_.emplace(options_.checkpoint, fingerprint);
  if (options_.resume)
    resumed_ = checkpoint_->load();
  else if (checkpoint_->has_unfinished())
    throw UsageError(fmt::format("{}: holds the checkpoint of a run that has not ended: resume it, or remove it",
                                 options_.checkpoint));
}

/// Not by way of the file, of which another machine may still see an older one.
void TrainingSession::share_resumed() {
  const std::string bytes =
      options_.communicator->broadcast(resumed_ ? checkpoint_->bytes().value_or(std::string()) : std::string());
  if (!writes() && !bytes.empty()) resumed_ = Checkpoint::parse(options_.checkpoint, bytes);
}

void TrainingSession::restore_log() {
  try {
    const Json saved = Json::parse(resumed_->json);
    resumed_->json = saved.at("state").dump();
    for (const Json& line : saved.at("log")) {
      log(line.get<std::string>());
      if (auto iteration = parse_iteration(lines_.back())) iterations_.push_back(std::move(*iteration));
    }
    if (saved.at("state").contains("trainings")) restore_trainings();
  } catch (const JsonError&) {
    throw InputError(options_.checkpoint, 0, "the checkpoint is damaged; remove it to start anew");
  }
}

TrainingSession::TrainingSession(const TrainingSessionOptions& options, const Aligner& aligner,
                                 const AlignmentProblem& problem)
    : TrainingSession(options,
                      options.checkpoint.empty() ? Checkpoint::Fingerprint{} : fingerprint_of(aligner, problem)) {}

void TrainingSession::log(std::string object) {
  options_.shared_log->add(object);
  lines_.push_back(std::move(object));
}

TrainingSessionOptions TrainingSession::part(const std::string& name) const {
  TrainingSessionOptions options = options_;
  if (!options.checkpoint.empty()) options.checkpoint = (std::filesystem::path(options.checkpoint) / name).string();
  return options;
}

void TrainingSession::save(CheckpointState state) const {
  if (!checkpoint_) return;
  state.json = Json{{"log", lines_}, {"state", Json::parse(state.json)}}.dump();
  try {
    checkpoint_->save(state);
  } catch (const IoError& error) {
    if (std::exchange(warned_, true)) return;
    Context::current().progress().warn(
        fmt::format("no checkpoint ({}): the run goes on without, and the last whole one stays", error.what()));
  }
}

void TrainingSession::restore_trainings() {
  const Json saved = Json::parse(resumed_->json).at("trainings");
  std::vector<MatrixD>& matrices = resumed_->matrices;
  done_ = saved.at("done").get<std::set<std::string>>();
  // The numbers of the records stand in a matrix, where they keep every bit.
  const std::vector<std::string> names = saved.at("records").get<std::vector<std::string>>();
  for (std::size_t i = 0; i < names.size(); ++i) records_[names[i]] = matrices.at(0)(0, i);
  current_ = saved.at("current").get<std::string>();
  if (matrices.size() > 1) state_ = unpack(std::span(matrices).subspan(1));
}

OptimizerState TrainingSession::train(const std::string& name, Optimizer& optimizer, const MatrixD& start,
                                      const Observer& observer) {
  OptimizerState state = state_ && current_ == name ? std::move(*state_) : optimizer.start(start);
  state_.reset();
  return run(optimizer, std::move(state), [&](const Iteration& iteration, const OptimizerState& now) {
    log(iteration_line(name, iteration));
    iterations_.push_back({name, iteration});
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

std::vector<Iteration> TrainingSession::iterations(const std::string& name) const {
  std::vector<Iteration> result;
  for (const NamedIteration& one : iterations_)
    if (one.run == name) result.push_back(one.iteration);
  return result;
}

void TrainingSession::save(const std::string& name, const OptimizerState* state, bool finished) const {
  if (!checkpoint_) return;
  MatrixD numbers(1, records_.size());
  std::vector<std::string> names;
  for (const auto& [record, value] : records_) {
    numbers(0, names.size()) = value;
    names.push_back(record);
  }
  CheckpointState saved{.finished = finished,
                        .json = Json{{"trainings", {{"done", done_}, {"records", names}, {"current", name}}}}.dump(),
                        .matrices = {std::move(numbers)}};
  if (state != nullptr)
    for (MatrixD& matrix : pack(*state)) saved.matrices.push_back(std::move(matrix));
  save(std::move(saved));
}

Checkpoint::Fingerprint fingerprint_of(const Aligner& aligner, const AlignmentProblem& problem) {
  Checkpoint::Fingerprint result = aligner.options();
  result["method"] = aligner.name();
  result["seed"] = std::to_string(problem.seed);
  const ShardedTables* sharded = problem.sharded;
  result["source vectors"] = sharded ? sharded->source_checksum : checksum_of(problem.source.table());
  result["target vectors"] = sharded ? sharded->target_checksum : checksum_of(problem.target.table());
  if (!problem.lexicon.empty()) result["lexicon"] = sharded ? sharded->lexicon_checksum : checksum_of(problem.lexicon);
  return result;
}

}  // namespace wordbridge
