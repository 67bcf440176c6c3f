#pragma once
#include <cstddef>

#include "search/two_sided_search.h"

namespace wordbridge {

/// For each row of two tables k rows of the other one, or all if there are fewer, that are probably near: the best of
/// its pool (cluster_pools.h) by fp32 products, in no order. Rows that have no pool get any. No zero rows; scores are
/// left out.
TwoSidedNeighbors cluster_neighbors(ConstMatrixView source, ConstMatrixView target, std::size_t k);

}  // namespace wordbridge
