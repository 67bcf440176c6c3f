#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/kernels/kernels.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Upper bounds of the scores of a query in each block of rows, a byte each: rounded up to one of 255 levels around the
/// score that they are compared with. What is above all levels is infinite: such blocks hold the best rows, and are
/// filtered every time. The bytes lie in memory of the owner (QuerySlots).
class BlockBounds {
 public:
  BlockBounds() = default;
  /// Nothing is known yet.
  explicit BlockBounds(std::span<std::uint8_t> memory) : levels_(memory) {}
  BlockBounds(BlockBounds&&) = default;
  BlockBounds& operator=(BlockBounds&&) = default;

  /// Levels from `top` - 0.45 `scale` to `top` + 0.05 `scale`, where `scale` is about the largest possible score.
  void assign(std::span<const float> bounds, float top, float scale) {
    set_levels(top, scale);
    for (std::size_t b = 0; b < levels_.size(); ++b) set(b, bounds[b]);
    known_ = true;
  }
  /// Those of another query, into the own memory, which is as large.
  void assign(const BlockBounds& other) {
    std::ranges::copy(other.levels_, levels_.begin());
    least_ = other.least_;
    step_ = other.step_;
    per_score_ = other.per_score_;
    known_ = other.known_;
  }
  void forget() { known_ = false; }

  bool known() const { return known_; }
  std::size_t size() const { return levels_.size(); }
  /// Whether levels of this place and distance can be told apart.
  static bool can_be(float top, float scale) {
    return std::isfinite(top) && scale > 0x1.0p-100f && scale < 0x1.0p100f && std::fabs(top) <= 4 * scale;
  }
  void set(std::size_t block, float bound) { levels_[block] = level_of(bound); }
  float operator[](std::size_t block) const {
    return levels_[block] > kMostLevels ? std::numeric_limits<float>::infinity() : value_of(levels_[block]);
  }

  /// Every bound b becomes factor b + gain of its block + slack, or a little more, at levels around a new top. The
  /// gains become the bounds before they are rounded to levels; what rounds the sums with them is in the slack.
  void move(double factor, double slack, float top, float scale, const ScoreKernel& kernel, std::span<float> gains) {
    // Each of about eight operations is off by 2^-24 of its size at most.
    const double reach = std::fabs(double{least_}) + 255 * double{step_};
    const auto shift = static_cast<float>(factor * double{least_} + slack + 0x1.0p-20 * (factor * reach + slack));
    const auto step = static_cast<float>(factor * double{step_});
    set_levels(top, scale);
    kernel.move_levels(levels_.data(), levels_.size(), {step, shift, least_, per_score_}, gains.data());
  }

 private:
  void set_levels(float top, float scale) {
    least_ = top - 0.45f * scale;
    step_ = scale * (0.5f / kMostLevels);
    per_score_ = 1 / step_;
  }

  static constexpr int kMostLevels = 254;

  /// Rounded the same way wherever it is used, so that a level is one number.
  float value_of(int level) const { return least_ + static_cast<float>(level) * step_; }
  /// A level that is not below a bound, the least or the next: the quotient and the value of a level are off by less
  /// than 0.005 levels together.
  std::uint8_t level_of(float bound) const {
    const float level = (bound - least_) * per_score_ + 1.01f;
    const float most = kMostLevels + 1;
    return static_cast<std::uint8_t>(static_cast<int>(level < most ? std::max(level, 0.0f) : most));
  }

  std::span<std::uint8_t> levels_;
  float least_ = 0, step_ = 0, per_score_ = 0;
  bool known_ = false;
};

/// What is known of a query that comes again.
struct QuerySlot {
  std::span<float> query;  // of the bounds
  BlockBounds bounds;
  std::vector<std::uint32_t> best;  // the answer of the last call
};

/// Queries by their numbers. Their vectors and bounds lie in large pieces of memory: in small ones, scattered among
/// what each call needs for a while, they would keep that from being used again.
class QuerySlots {
 public:
  /// Queries of so many dimensions; `blocks` of rows that have bounds. Without any, only answers are kept.
  QuerySlots(std::size_t dimension, std::size_t blocks) : dimension_(dimension), blocks_(blocks) {}

  std::size_t size() const { return slots_.size(); }
  QuerySlot& operator[](std::size_t slot) { return slots_[slot]; }
  const QuerySlot& operator[](std::size_t slot) const { return slots_[slot]; }

  /// At least `count` slots; of the new ones nothing is known. Whatever there was stays where it is.
  void grow(std::size_t count);
  /// Knows what another knows of its slot `theirs`, or only the answer. Both are of the same dimension and blocks.
  void copy(std::size_t slot, const QuerySlot& theirs, bool only_answer);
  void clear();

 private:
  std::size_t dimension_, blocks_;
  std::vector<QuerySlot> slots_;
  std::vector<Matrix> queries_;
  std::vector<BasicMatrix<std::uint8_t>> levels_;
};

}  // namespace wordbridge
