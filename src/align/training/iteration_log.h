#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "optimize/optimizer.h"

namespace wordbridge {

/// The course of a training, one JSON object a line, in a file that is whole at any time. Without a path nothing is
/// written.
class IterationLog {
 public:
  /// InputError where the file cannot be written.
  explicit IterationLog(std::string path = {});

  /// Adds a line: a JSON object.
  void add(std::string object);

 private:
  std::string path_;
  std::vector<std::string> lines_;
};

/// A step of a training, and which training.
struct NamedIteration {
  std::string run;
  Iteration iteration;
};

/// The line of a step. Numbers that are not finite are null.
std::string iteration_line(std::string_view run, const Iteration& iteration);
/// The step of such a line; nothing for lines of another kind.
std::optional<NamedIteration> parse_iteration(const std::string& line);

/// "accepted", "rolled back", "diverged".
std::string_view name_of(StepOutcome outcome);

}  // namespace wordbridge
