#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "wordbridge/neighbors/kernel_choice.h"

namespace wordbridge {

/// The k largest of some values; k <= values.size(). Keeps its memory from one call to the next.
class LargestValues {
 public:
  explicit LargestValues(std::size_t k) : k_(k) {}

  void find(std::span<const float> values) {
    kept_.resize(values.size());
    passed_.resize(values.size());
    const float limit = reached_by_groups(values);
    const std::size_t count = kernels().score->select_not_below(values.data(), values.size(), limit, passed_.data());
    for (std::size_t i = 0; i < count; ++i) kept_[i] = values[passed_[i]];
    std::nth_element(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(k_ - 1),
                     kept_.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  }
  double mean() const {
    return std::accumulate(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(k_), 0.0) /
           static_cast<double>(k_);
  }
  float least() const { return kept_[k_ - 1]; }

 private:
  /// Something that k values reach: as many as the groups whose maxima reach it. Most values fall short of it.
  float reached_by_groups(std::span<const float> values) {
    constexpr std::size_t kGroups = 32;
    if (k_ > kGroups || values.size() < 2 * kGroups) return -std::numeric_limits<float>::infinity();
    float maxima[kGroups];
    std::copy_n(values.data(), kGroups, maxima);
    for (std::size_t begin = kGroups; begin + kGroups <= values.size(); begin += kGroups)
      for (std::size_t j = 0; j < kGroups; ++j) maxima[j] = std::max(maxima[j], values[begin + j]);
    std::nth_element(maxima, maxima + k_ - 1, maxima + kGroups, std::greater<>());
    return maxima[k_ - 1];
  }

  std::size_t k_;
  std::vector<float> kept_;  // after find() the first k are the largest, and of these the last is the smallest
  std::vector<std::uint32_t> passed_;
};

}  // namespace wordbridge
