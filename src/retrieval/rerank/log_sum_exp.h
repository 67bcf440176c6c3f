#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace wordbridge {

/// log of the sum of exp(scale * value), without overflow; minus infinity for none.
inline double log_sum_exp(std::span<const double> values, double scale = 1) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double value : values) largest = std::max(largest, scale * value);
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (const double value : values) sum += std::exp(scale * value - largest);
  return largest + std::log(sum);
}

}  // namespace wordbridge
