#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/kernels/kernels.h"

namespace wordbridge {

/// Chooses the checks for early termination (FilterJob) that are worth their time, by what they did in the jobs before:
/// queries that have little in common with the table, or no threshold yet, are not helped by early ones.
class EarlyTerminationPolicy {
 public:
  explicit EarlyTerminationPolicy(std::size_t checks) : terminated_(checks) {}

  /// To be called before each job.
  void prepare(FilterJob& job) {
    std::fill(terminated_.begin(), terminated_.end(), 0);
    job.terminated = terminated_.data();
    job.first_check = first_;
  }
  /// To be called after it.
  void learn(const FilterJob& job) {
    if (++jobs_ % kJobsOfADecision == 0) {
      first_ = 0;
    } else if (first_ < terminated_.size() &&
               kLeastShare * terminated_[first_] < job.query_count * job.panels * kPanelRows) {
      ++first_;
    }
  }

 private:
  /// A check takes an eighth of the time of the span that it saves.
  static constexpr std::uint64_t kLeastShare = 8;
  static constexpr std::size_t kJobsOfADecision = 16;

  std::vector<std::uint64_t> terminated_;
  std::size_t first_ = 0, jobs_ = 0;
};

}  // namespace wordbridge
