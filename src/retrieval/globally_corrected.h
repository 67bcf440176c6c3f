#pragma once
#include <cstddef>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

struct GloballyCorrectedOptions {
  std::size_t depth = 50;  // nearest source words remembered for each target
};

/// "gc" (Dinu 2014): a target is the better, the fewer source words are nearer to it than the query; ties by the larger
/// cosine, then the lower id. A hub has many near source words, so few of them rank high with it. The score is
/// (cosine - 1) / 2 - rank, with rank = #{source words q' : cos(q', y) > cos(q, y)}: its order is the criterion's.
///
/// A first pass over the tables remembers the nearest source words of each target; it settles the queries that are
/// among these of enough targets. For the others a second pass counts.
class GloballyCorrected final : public Criterion {
 public:
  /// `asking`: the side whose words ask; those of the other one are ranked.
  explicit GloballyCorrected(CommonSpace space, const GloballyCorrectedOptions& options = {},
                             Side asking = Side::source);

  std::string name() const override { return "gc"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;

 private:
  struct Remembered;
  class Ranking;

  CommonSpace space_;
  GloballyCorrectedOptions options_;
  Side asking_;
};

}  // namespace wordbridge
