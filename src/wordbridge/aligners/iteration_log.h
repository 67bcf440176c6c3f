#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/optimizers/optimizer.h"

namespace wordbridge {

/// The course of a training, one JSON object a line, in a file that is whole at any time. Without a path it only
/// remembers.
class IterationLog {
 public:
  /// InputError where the file cannot be written.
  explicit IterationLog(std::string path = {});

  /// `run` names the training that the iteration belongs to.
  void add(std::string_view run, const Iteration& iteration);
  /// A line of another kind: a JSON object.
  void add(std::string object);
  /// Begins with the lines of an interrupted run.
  void restore(std::vector<std::string> lines);

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void write() const;

  std::string path_;
  std::vector<std::string> lines_;
};

/// "accepted", "rolled back", "diverged".
std::string_view name_of(StepOutcome outcome);

}  // namespace wordbridge
