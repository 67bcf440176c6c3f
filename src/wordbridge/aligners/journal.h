#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordbridge/aligners/aligner.h"
#include "wordbridge/aligners/checkpoint.h"
#include "wordbridge/aligners/iteration_log.h"

namespace wordbridge {

struct JournalOptions {
  std::shared_ptr<IterationLog> log = nullptr;  // what happened, JSON lines; several journals may write into one
  std::string checkpoint = {};                  // folder; empty: none
  bool resume = false;                          // go on from the checkpoint, where there is one
};

/// The course of one long run that brings its own state: its lines in the log, and a checkpoint that holds the state
/// together with the lines so far.
class Journal {
 public:
  /// Loads the checkpoint where asked to. UsageError where there is one of an unfinished run and resuming was not asked
  /// for, or where it belongs to another run.
  Journal(JournalOptions options, const Checkpoint::Fingerprint& fingerprint);

  /// Where the run was interrupted, or how it ended; nothing where it begins.
  const std::optional<CheckpointState>& resumed() const { return resumed_; }
  /// Adds a JSON object to the log.
  void log(std::string object);
  void save(CheckpointState state) const;

 private:
  JournalOptions options_;
  std::optional<Checkpoint> checkpoint_;
  std::optional<CheckpointState> resumed_;
  std::vector<std::string> lines_;
};

/// What ties a checkpoint to its run: the aligner's options, the seed, and both tables.
Checkpoint::Fingerprint fingerprint_of(const Aligner& aligner, std::uint64_t seed, const AlignmentProblem& problem);

}  // namespace wordbridge
