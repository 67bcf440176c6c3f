#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/top_k.h"

namespace wordbridge {

/// A list of rows with upper bounds of their scores, 4 bytes a row: 24 bits of its number and 8 of the bound, rounded
/// up to one of 256 steps between the bound of all other rows and that of the list's best rows but the first `exempt`,
/// which have none. All keep their order.
class PackedList {
 public:
  PackedList() = default;
  /// `outside`: no bound of a row is below it. Minus infinity where there are no other rows: then no row has a bound.
  PackedList(std::span<const ScoredRow> rows, double outside, std::size_t exempt) : outside_(outside) {
    double largest = outside;
    for (std::size_t i = exempt; i < rows.size(); ++i) largest = std::max(largest, double{rows[i].score});
    // 254 steps reach the largest bound whatever the rounding, which is less than 2^-50 of the values.
    step_ = (largest - outside) / 254 * (1 + 0x1.0p-20) + 0x1.0p-40 * std::fabs(outside);
    if (!std::isfinite(step_)) step_ = 0;
    rows_.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows_.push_back(rows[i].id << 8 | (i < exempt ? kNoBound : level_of(double{rows[i].score})));
  }

  /// Tables with more rows have no lists.
  static constexpr std::size_t kMostRows = std::size_t{1} << 24;

  std::size_t size() const { return rows_.size(); }
  std::uint32_t id(std::size_t i) const { return rows_[i] >> 8; }
  /// At least the bound that the row had; infinity where it has none.
  double upper_bound(std::size_t i) const {
    const std::uint32_t level = rows_[i] & 0xFF;
    return level == kNoBound ? std::numeric_limits<double>::infinity() : outside_ + level * step_;
  }
  /// Of the scores of all other rows.
  double outside() const { return outside_; }

 private:
  static constexpr std::uint32_t kNoBound = 255;

  /// The least level whose bound is not below this one.
  std::uint32_t level_of(double bound) const {
    const double level = std::ceil((bound - outside_) / step_);
    if (!(level <= 254)) return kNoBound;
    auto result = static_cast<std::uint32_t>(std::max(0.0, level));
    while (result < kNoBound && outside_ + result * step_ < bound) ++result;
    return result;
  }

  std::vector<std::uint32_t> rows_;
  double outside_ = 0, step_ = 0;
};

}  // namespace wordbridge
