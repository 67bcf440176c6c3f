#pragma once
#include <cmath>
#include <cstddef>
#include <limits>

namespace wordbridge {

/// Unit roundoff of float: a rounded operation is off by at most this share of its result.
inline constexpr double kFloatRoundoff = 0x1.0p-24;

/// No finite score is larger.
inline constexpr double kLargestScore = std::numeric_limits<float>::max();

/// How far apart the fp32 dot product of two vectors of `dimension`, summed in any order, fused or not, and their
/// exact_score can be, if the product of their norms is at most `norms`.
///
/// With A = sum |a_i b_i| <= |a||b| (Cauchy-Schwarz) and u the unit roundoff, the fp32 result is off from the real one
/// by at most gamma_d A, gamma_n = n u / (1 - n u), plus half the smallest denormal for each product that underflows.
/// The sum in double is off by less than 2^-53 d A, its rounding to float by u (1 + u) A or half a denormal. So
/// gamma_(d+2) A + (d+1) 2^-150 covers it all for d < 2^22. The bound is void, that is infinite, where fp32 sums may
/// overflow on the way, or where d is too large for it.
inline double fp32_slack(std::size_t dimension, double norms) {
  const double terms = static_cast<double>(dimension) + 2;
  if (!(norms < 0x1.0p126) || terms > 0x1.0p22) return std::numeric_limits<double>::infinity();
  return terms * kFloatRoundoff / (1 - terms * kFloatRoundoff) * norms + terms * 0x1.0p-149;
}

/// The Euclidean norm, rounded up, from the sum of `count` squares, added in double in any order. Squares of floats are
/// exact in double; the additions and the root lose at most (count / 2 + 1) 2^-53.
inline double norm_above(double sum_of_squares, std::size_t count) {
  return std::sqrt(sum_of_squares) * (1 + (static_cast<double>(count) + 4) * 0x1.0p-53);
}

/// The same of a row: at least the real one, whatever the sizes of the values.
inline double norm_above(const float* values, std::size_t count) {
  constexpr std::size_t kLanes = 8;  // sums that do not wait for each other
  double sums[kLanes] = {}, sum = 0;
  const std::size_t whole = count / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l)
      sums[l] += static_cast<double>(values[i + l]) * static_cast<double>(values[i + l]);
  for (std::size_t i = whole; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  for (const double lane : sums) sum += lane;
  return norm_above(sum, count);
}

/// The largest float that is not above `value`.
inline float float_below(double value) {
  constexpr float kLargest = std::numeric_limits<float>::max(), kInfinity = std::numeric_limits<float>::infinity();
  if (value >= static_cast<double>(kLargest))
    return value == std::numeric_limits<double>::infinity() ? kInfinity : kLargest;
  if (value < -static_cast<double>(kLargest)) return -kInfinity;
  const float rounded = static_cast<float>(value);
  return static_cast<double>(rounded) > value ? std::nextafterf(rounded, -kInfinity) : rounded;
}

/// The smallest float that is not below `value`.
inline float float_above(double value) { return -float_below(-value); }

/// A float a little below `value`, sooner than float_below() finds the largest: 2^-23 of it are more than rounding to
/// float may add, and where that underflows, 2^-149 are. `value` must be below the largest float.
inline float float_just_below(double value) {
  return static_cast<float>(value - std::fabs(value) * 0x1.0p-23 - 0x1.0p-149);
}
/// Likewise, above `value`, which must be above minus the largest float.
inline float float_just_above(double value) { return -float_just_below(-value); }

}  // namespace wordbridge
