#include "align/training/iteration_log.h"

#include <limits>
#include <utility>

#include "base/atomic_file.h"
#include "base/json.h"

namespace wordbridge {

namespace {}  // namespace

std::string_view name_of(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::accepted:
      return "accepted";
    case StepOutcome::rolled_back:
      return "rolled back";
    case StepOutcome::diverged:
      return "diverged";
  }
  return "";
}

IterationLog::IterationLog(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) AtomicFile writable(path_);
}

void IterationLog::add(std::string object) {
  if (path_.empty()) return;
  lines_.push_back(std::move(object));
  AtomicFile file(path_);
  for (const std::string& line : lines_) {
    file.write(line);
    file.write("\n");
  }
  file.commit();
}

std::string iteration_line(std::string_view run, const Iteration& iteration) {
  const Json line = {{"run", run},
                     {"epoch", iteration.epoch},
                     {"loss", iteration.loss},
                     {"step", iteration.step},
                     {"outcome", name_of(iteration.outcome)},
                     {"norm", iteration.norm},
                     {"searched", iteration.searched},
                     {"certified", iteration.saved_scans},
                     {"seconds", iteration.seconds}};
  return line.dump();
}

std::optional<NamedIteration> parse_iteration(const std::string& line) {
  const Json json = Json::parse(line);
  if (!json.contains("run")) return std::nullopt;
  const auto number = [&](const char* field) {
    return json.at(field).is_null() ? std::numeric_limits<double>::quiet_NaN() : json.at(field).get<double>();
  };
  NamedIteration result{json.at("run").get<std::string>(), {}};
  Iteration& iteration = result.iteration;
  iteration.epoch = json.at("epoch").get<int>();
  iteration.loss = number("loss");
  iteration.step = number("step");
  for (const StepOutcome outcome : {StepOutcome::accepted, StepOutcome::rolled_back, StepOutcome::diverged})
    if (json.at("outcome") == name_of(outcome)) iteration.outcome = outcome;
  iteration.norm = number("norm");
  iteration.searched = json.at("searched").get<std::uint64_t>();
  iteration.saved_scans = json.at("certified").get<std::uint64_t>();
  iteration.seconds = number("seconds");
  return result;
}

}  // namespace wordbridge
