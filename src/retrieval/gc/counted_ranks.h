#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "retrieval/gc/rank_question.h"
#include "space/nonzero_rows.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Exact ranks by counting: products of targets with all source words in fp32, and exact scores where these cannot
/// tell. Counting ends as soon as it is enough. For ranks so large that a list of what is nearer is no help. Zero
/// source rows count nothing.
class CountedRanks {
 public:
  /// Both must outlive this.
  CountedRanks(const UnitRows& sources, ConstMatrixView targets);

  /// The ranks; nothing where they are above what is enough.
  std::vector<std::optional<std::size_t>> ranks(std::span<const RankQuestion> questions) const;

 private:
  class Block;

  NonzeroRows nonzero_;
  ConstMatrixView sources_;
  double largest_norm_;  // of the sources
  ConstMatrixView targets_;
};

}  // namespace wordbridge
