#pragma once
#include <optional>
#include <span>
#include <vector>

#include "retrieval/sharded_csls_tables.h"

namespace wordbridge {

/// Queries at once: the source words near them are fetched, 80 MB at most at d = 300.
inline constexpr std::size_t kLazyShardedQueries = 256;

/// The best targets of a few queries, without r_s of every target; exact, as LazyCsls is. `query_means` is r_t. Every
/// process bounds its own targets:
///   1. Source words near each query are fetched. With m(q) the mean vector of the k nearest, y m(q) is at most r_s(y),
///      so that  (2 q - m(q)) y - r_t(q)  is an upper bound of the score: an inner product.
///   2. Of the targets that it puts first, those with the best fine bounds (csls/bounds.h) get their r_s, and the
///      count-th best of their scores is a threshold.
///   3. A range search with these products and thresholds leaves candidates, which fine bounds prune.
///   4. What is left gets its r_s in growing portions, best upper bound first; after each, the threshold is that of all
///      processes.
/// Nothing where the bounds leave so many candidates that r_s of all is less work.
std::optional<std::vector<RankedTargets>> rank_lazily(ShardedCslsTables& tables, ConstMatrixView queries,
                                                      std::span<const double> query_means, std::size_t count);

}  // namespace wordbridge
