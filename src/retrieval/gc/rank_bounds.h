#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "space/unit_rows.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// How many source words score higher with a target than `score`?
struct RankQuestion {
  WordId target;
  float score;
  std::size_t enough;  // a rank above this need not be known
};

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

/// Lower bounds of ranks, rank(q, y) = #{source words q' : exact_score(q', y) > exact_score(q, y)}, for all targets y.
///
/// Targets are clustered, and those of a cluster look at the same pool of source words, the ones nearest to their mean:
/// these are most of the source words that are near any of them. Where m words of the pool score at least s with y, all
/// words that score less than s have ranks of at least m.
class RankBounds {
 public:
  /// `pool`: source words in the pool of a cluster, 1 at least.
  RankBounds(const UnitRows& sources, const UnitRows& targets, std::size_t pool);

  /// The ranks that are told, ascending, in steps of an eighth at most, from 1 to the size of a pool. None without
  /// source words.
  std::span<const std::uint32_t> levels() const { return levels_; }
  /// One a target: what scores less has a rank of at least levels()[level].
  std::span<const float> scores(std::size_t level) const { return {scores_.row(level).data(), scores_.cols()}; }
  /// At most the rank of a word with this score.
  std::size_t least_rank(WordId target, float score) const;

 private:
  std::vector<std::uint32_t> levels_;
  Matrix scores_;  // levels x targets
};

}  // namespace wordbridge
