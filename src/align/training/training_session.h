#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "align/aligner.h"
#include "align/training/checkpoint.h"
#include "align/training/iteration_log.h"
#include "optimize/optimizer.h"
#include "parallel/communicator.h"

namespace wordbridge {

/// Where a long run leaves what it did, and what it can go on from.
struct TrainingSessionOptions {
  std::string log = {};         // file for the course of training, JSON lines; empty: none
  std::string checkpoint = {};  // folder for the state as training goes on; empty: none
  bool resume = false;          // go on from the checkpoint, where there is one
  /// Of a run that several processes do together: the first one writes, and tells the others what to go on from.
  Communicator* communicator = nullptr;
  /// The log of the session that this one is a part of; takes the place of `log`.
  std::shared_ptr<IterationLog> shared_log = nullptr;
};

/// UsageError for invalid options.
void check(const TrainingSessionOptions& options);

/// The course of a long run: its lines in the log, and a checkpoint that holds its state together with the lines so
/// far, from which it goes on to the same bits. A run either brings its own state, resumed() and save(), or is a
/// sequence of named trainings, train() to finish_all(), with scores recorded between their steps.
class TrainingSession {
 public:
  /// Loads the checkpoint where asked to. UsageError where there is one of an unfinished run and resuming was not asked
  /// for, or where it belongs to another run.
  TrainingSession(const TrainingSessionOptions& options, const Checkpoint::Fingerprint& fingerprint);
  /// For an aligner's run: its fingerprint is that of the aligner and the problem.
  TrainingSession(const TrainingSessionOptions& options, const Aligner& aligner, const AlignmentProblem& problem);

  /// Adds a JSON object to the log.
  void log(std::string object);
  /// For a run that is a part of this one: the same log, and a folder below that of this session.
  TrainingSessionOptions part(const std::string& name) const;

  /// Where the run was interrupted, or how it ended; nullopt if it begins.
  const std::optional<CheckpointState>& resumed() const { return resumed_; }
  /// A checkpoint that cannot be written (a full disk) is warned of once; the run goes on, and the last one stays.
  void save(CheckpointState state) const;

  using Observer = std::function<void(const Iteration& iteration, const OptimizerState& state)>;
  /// Trains from `start` or, where the checkpoint was made in this training, from there. The observer sees the steps
  /// that are taken now; what it records is saved with the step. Names must differ within a session.
  OptimizerState train(const std::string& name, Optimizer& optimizer, const MatrixD& start, const Observer& observer);
  /// The steps of a training, those before an interruption too.
  std::vector<Iteration> iterations(const std::string& name) const;
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

 private:
  bool writes() const { return options_.communicator == nullptr || options_.communicator->is_first(); }
  void open_checkpoint(const Checkpoint::Fingerprint& fingerprint);
  void share_resumed();
  void restore_log();
  void restore_trainings();
  void save(const std::string& name, const OptimizerState* state, bool finished) const;

  TrainingSessionOptions options_;  // with a log, always
  std::optional<Checkpoint> checkpoint_;
  std::optional<CheckpointState> resumed_;
  std::vector<std::string> lines_;  // of this session in the log
  std::vector<NamedIteration> iterations_;
  std::set<std::string> done_;
  std::map<std::string, double> records_;
  std::string current_;                  // the training that `state_` belongs to
  std::optional<OptimizerState> state_;  // where it was interrupted
  mutable bool warned_ = false;          // of a checkpoint that could not be written
};

/// What ties a checkpoint to its run: the aligner's options, the seed, both tables, and the lexicon.
Checkpoint::Fingerprint fingerprint_of(const Aligner& aligner, const AlignmentProblem& problem);

}  // namespace wordbridge
