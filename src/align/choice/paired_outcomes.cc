#include "align/choice/paired_outcomes.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wordbridge {

PairedOutcomes PairedOutcomes::of(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second) {
  assert(first.size() == second.size());
  PairedOutcomes outcomes;
  for (std::size_t i = 0; i < first.size(); ++i) {
    outcomes.gained += second[i] != 0 && first[i] == 0;
    outcomes.lost += first[i] != 0 && second[i] == 0;
  }
  return outcomes;
}

double PairedOutcomes::p_value() const {
  // sum over i >= gained of n! / (i! (n - i)!) / 2^n, term by term in logarithms.
  const double n = static_cast<double>(gained + lost);
  double sum = 0;
  for (std::size_t i = gained; i <= gained + lost; ++i) {
    const double k = static_cast<double>(i);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
  }
  return std::min(1.0, sum);
}

ShareInterval ShareInterval::of(std::size_t right, std::size_t count) {
  if (count == 0) return {};
  constexpr double kZ = 1.959964;  // of the normal distribution's central 95%
  const double n = static_cast<double>(count), p = static_cast<double>(right) / n, z2 = kZ * kZ;
  const double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace wordbridge
