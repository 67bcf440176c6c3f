#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/unit_rows.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

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
