#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "search/kernels/kernel_choice.h"

namespace wordbridge {

/// The k largest of an array of values, by selection instead of a heap; k <= values.size(). Keeps its memory from one
/// call to the next.
class TopKValues {
 public:
  explicit TopKValues(std::size_t k) : k_(k) {}

  void select(std::span<const float> values) {
    selected_.resize(values.size());
    passed_.resize(values.size());
    const float limit = lower_bound_of_kth(values);
    const std::size_t count = kernels().score->select_not_below(values.data(), values.size(), limit, passed_.data());
    for (std::size_t i = 0; i < count; ++i) selected_[i] = values[passed_[i]];
    std::nth_element(selected_.begin(), selected_.begin() + static_cast<std::ptrdiff_t>(k_ - 1),
                     selected_.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  }
  double mean() const {
    return std::accumulate(selected_.begin(), selected_.begin() + static_cast<std::ptrdiff_t>(k_), 0.0) /
           static_cast<double>(k_);
  }
  float kth() const { return selected_[k_ - 1]; }

 private:
  /// The k-th largest of the maxima of groups: k values reach it, and most others fall short of it.
  float lower_bound_of_kth(std::span<const float> values) {
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
  std::vector<float> selected_;  // after select() the first k are the largest, and of these the last is the smallest
  std::vector<std::uint32_t> passed_;
};

}  // namespace wordbridge
