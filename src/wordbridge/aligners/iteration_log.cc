#include "wordbridge/aligners/iteration_log.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "wordbridge/base/atomic_file.h"

namespace wordbridge {

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

void IterationLog::add(std::string_view run, const Iteration& iteration) {
  const nlohmann::ordered_json line = {{"run", run},
                                       {"epoch", iteration.epoch},
                                       {"loss", iteration.loss},
                                       {"step", iteration.step},
                                       {"outcome", name_of(iteration.outcome)},
                                       {"norm", iteration.norm},
                                       {"searched", iteration.searched},
                                       {"certified", iteration.certified},
                                       {"seconds", iteration.seconds}};
  add(line.dump());
}

void IterationLog::add(std::string object) {
  lines_.push_back(std::move(object));
  write();
}

void IterationLog::restore(std::vector<std::string> lines) {
  lines_ = std::move(lines);
  write();
}

void IterationLog::write() const {
  if (path_.empty()) return;
  AtomicFile file(path_);
  for (const std::string& line : lines_) {
    file.write(line);
    file.write("\n");
  }
  file.commit();
}

}  // namespace wordbridge
