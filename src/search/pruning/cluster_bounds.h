#pragma once
#include <cstddef>
#include <vector>

#include "search/two_sided_search.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// For each row of two tables k rows of the other one, or all if there are fewer, that are probably near: the best of
/// its pool (clusters.h) by fp32 products, in no order. Rows that have no pool get any. No zero rows; scores are
/// left out.
TwoSidedNeighbors cluster_neighbors(ConstMatrixView source, ConstMatrixView target, std::size_t k);

/// For each row of two tables a lower bound of its k-th best score in the other; minus infinity where nothing is known.
struct ClusterLowerBounds {
  std::vector<float> of_source, of_target;
};

/// Assigns the rows of both tables to clusters around the same centroids, some rows of the target table. What is in the
/// same cluster, or in the nearest ones, is likely to be near, and the fp32 products of a few hundred such rows give
/// lower bounds that few of all rows reach. `k_source` rows of the target table are needed for each source, and
/// `k_target` sources for each target.
ClusterLowerBounds cluster_lower_bounds(ConstMatrixView source, ConstMatrixView target, std::size_t k_source,
                                        std::size_t k_target);

}  // namespace wordbridge
