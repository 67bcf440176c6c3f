#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wordbridge/neighbors/kernels.h"

namespace wordbridge {

/// Chooses the checks of staged jobs that are worth their time, by what they did in the jobs before: queries that have
/// little in common with the table, or no threshold yet, are not helped by early ones.
class CheckChoice {
 public:
  explicit CheckChoice(std::size_t checks) : given_up_(checks) {}

  /// To be called before each job.
  void prepare(ScreenJob& job) {
    std::fill(given_up_.begin(), given_up_.end(), 0);
    job.given_up = given_up_.data();
    job.first_check = first_;
  }
  /// To be called after it.
  void learn(const ScreenJob& job) {
    if (++jobs_ % kJobsOfAChoice == 0) {
      first_ = 0;
    } else if (first_ < given_up_.size() &&
               kLeastShare * given_up_[first_] < job.query_count * job.panels * kPanelRows) {
      ++first_;
    }
  }

 private:
  /// A check takes an eighth of the time of the span that it saves.
  static constexpr std::uint64_t kLeastShare = 8;
  static constexpr std::size_t kJobsOfAChoice = 16;

  std::vector<std::uint64_t> given_up_;
  std::size_t first_ = 0, jobs_ = 0;
};

}  // namespace wordbridge
