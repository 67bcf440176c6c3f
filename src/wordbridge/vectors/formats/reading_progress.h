#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "wordbridge/base/progress.h"

namespace wordbridge {

/// Tells an observer, if there is one, how far the reading of a file has come; the stage is named after the file and
/// ends with this object, however the reading ended.
class ReadingProgress {
 public:
  ReadingProgress(Progress* observer, std::string path) : observer_(observer), path_(std::move(path)) {}
  ~ReadingProgress() {
    if (begun_) observer_->finish(path_);
  }
  ReadingProgress(const ReadingProgress&) = delete;
  ReadingProgress& operator=(const ReadingProgress&) = delete;

  /// `total` 0: unknown.
  void update(std::uint64_t done, std::uint64_t total) {
    if (observer_ == nullptr) return;
    begun_ = true;
    observer_->update(path_, done, total, "");
  }

 private:
  Progress* observer_;
  std::string path_;
  bool begun_ = false;
};

}  // namespace wordbridge
