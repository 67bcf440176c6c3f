#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "retrieval/gc/rank_bounds.h"
#include "space/table_search.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// A target that may be among the best of a query, as far as bounds tell.
struct BoundedTarget {
  std::uint32_t least_rank;
  float cosine;
  WordId target;

  /// Of its score.
  double upper_bound() const { return rank_score(least_rank, cosine); }
};

/// Finds the targets with which queries may have small ranks: a range search with the scores of RankBounds as offsets
/// leaves those with ranks below a level, and maybe others. Levels are counted as in RankBounds::levels().
class BoundedTargets {
 public:
  /// Both must outlive this. There must be levels.
  BoundedTargets(const TableSearch& targets, const RankBounds& bounds) : targets_(targets), bounds_(bounds) {}

  /// The level at which to look first for `count` targets.
  std::size_t first_level(std::size_t count) const;
  /// The level to try where the targets of this one were not enough; the number of levels where there is none.
  std::size_t level_after(std::size_t level) const;

  /// Whether `count` of these targets, the best first, seem to have ranks below `rank`: with some reserve, because
  /// ranks are larger than their bounds.
  static bool seem_enough(std::span<const BoundedTarget> open, std::size_t count, std::size_t rank);
  /// Those of them whose ranks are likely to be asked for where `count` are asked for, with the same reserve.
  static std::span<const BoundedTarget> likely(std::span<const BoundedTarget> open, std::size_t count);

  /// For each query of `some` every target with a rank below its level, and maybe others, the best bounds first. Where
  /// they do not seem to be `count`, its level rises first.
  std::vector<std::vector<BoundedTarget>> find(ConstMatrixView queries, std::span<const WordId> some, std::size_t count,
                                               std::span<std::size_t> levels) const;

  BoundedTarget bound(std::span<const float> query, WordId target) const;

 private:
  std::vector<std::vector<BoundedTarget>> below(std::size_t level, ConstMatrixView queries) const;
  std::vector<BoundedTarget> bound(std::span<const float> query, std::span<const ScoredRow> found) const;

  const TableSearch& targets_;
  const RankBounds& bounds_;
};

}  // namespace wordbridge
