#pragma once
#include <cstddef>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

struct GloballyCorrectedOptions {
  /// Source words near a cluster of targets by which their ranks are bounded from below. The answers are the same, bit
  /// for bit; the time is not.
  std::size_t pool = 4096;
};

/// "gc" (Dinu 2014): a target is the better, the fewer source words are nearer to it than the query; ties by the larger
/// cosine, then the lower id. A hub has many near source words, so few of them rank high with it. The score is
/// (cosine - 1) / 2 - rank, with rank = #{source words q' : cos(q', y) > cos(q, y)}: its order is the criterion's.
///
/// Ranks are known where they can win: lower bounds (gc/rank_bounds.h) and a range search leave a few targets for each
/// query (gc/bounded_targets.h), and those with the best bounds get their exact ranks, from lists of what is nearer
/// or, where that is too much to list, by counting (gc/ranks.h).
class GloballyCorrected final : public Criterion {
 public:
  /// `asking`: the side of the query words; those of the other one are ranked.
  explicit GloballyCorrected(CommonSpace space, const GloballyCorrectedOptions& options = {},
                             Side asking = Side::source);

  std::string name() const override { return "gc"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;

 private:
  class Ranking;

  CommonSpace space_;
  GloballyCorrectedOptions options_;
  Side asking_;
};

}  // namespace wordbridge
