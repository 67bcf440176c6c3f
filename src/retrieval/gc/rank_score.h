#pragma once
#include <cstddef>
#include <limits>

namespace wordbridge {

/// A little more than rounding makes of the cosine of two vectors of length 1.
inline constexpr float kLargestCosine = 1.001f;

/// Falls with the rank, and grows with the cosine between two ranks.
inline double rank_score(std::size_t rank, float cosine) {
  return (static_cast<double>(cosine) - 1) / 2 - static_cast<double>(rank);
}

/// The largest rank with which a target can still enter a list with this threshold.
inline std::size_t largest_rank_for(double threshold) {
  return threshold == -std::numeric_limits<double>::infinity() ? std::numeric_limits<std::size_t>::max()
                                                               : static_cast<std::size_t>(-threshold + 1);
}

}  // namespace wordbridge
