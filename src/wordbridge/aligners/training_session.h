#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "wordbridge/aligners/checkpoint.h"
#include "wordbridge/aligners/iteration_log.h"
#include "wordbridge/optimizers/optimizer.h"

namespace wordbridge {

struct TrainingSessionOptions {
  std::string log = {};         // file for the course of training, JSON lines; empty: none
  std::string checkpoint = {};  // folder; empty: none
  bool resume = false;
  Checkpoint::Fingerprint fingerprint = {};
};

/// A sequence of named trainings with what belongs around them: the log, and a checkpoint after every step from which
/// the whole sequence goes on to the same bits. Scores that are recorded between steps are part of the checkpoint.
class TrainingSession {
 public:
  /// Loads the checkpoint where asked to. UsageError where there is one of an unfinished run and resuming was not asked
  /// for, or where it belongs to another run.
  explicit TrainingSession(const TrainingSessionOptions& options);

  using Observer = std::function<void(const Iteration& iteration, const OptimizerState& state)>;
  /// Trains from `start` or, where the checkpoint was made in this training, from there. The observer sees the steps
  /// that are taken now; what it records is saved with the step. Names must differ within a session.
  OptimizerState train(const std::string& name, Optimizer& optimizer, const MatrixD& start, const Observer& observer);
  /// True where this training was ended before the checkpoint; it is not to be run again.
  bool is_done(const std::string& name) const { return done_.contains(name); }
  /// Declares a training ended, and saves.
  void finish(const std::string& name);
  /// Declares the whole session ended, with its last training's state where it had one: the folder may then be used for
  /// another session, and resuming this one gives the same result at once.
  void finish_all(const std::string& name, const OptimizerState* state) const { save(name, state, true); }

  /// Remembers a value (kept to the bit) under a name.
  void record(const std::string& name, double value) { records_[name] = value; }
  std::optional<double> recorded(const std::string& name) const;
  /// Adds an object to the log.
  void log(std::string object) { log_.add(std::move(object)); }
  const IterationLog& log() const { return log_; }

 private:
  void save(const std::string& name, const OptimizerState* state, bool finished) const;

  IterationLog log_;
  std::optional<Checkpoint> checkpoint_;
  std::set<std::string> done_;
  std::map<std::string, double> records_;
  std::string current_;                  // the training that `state_` belongs to
  std::optional<OptimizerState> state_;  // where it was interrupted
};

}  // namespace wordbridge
