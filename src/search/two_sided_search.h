#pragma once
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"

namespace wordbridge {

/// The nearest rows of each of two tables for every row of the other.
struct TwoSidedNeighbors {
  Neighbors of_source;  // a row of the source table: rows of the target table
  Neighbors of_target;  // a row of the target table: rows of the source table
};

/// The same where somebody else keeps them.
struct TwoSidedLists {
  NeighborLists of_source, of_target;
};

/// The same as a search in each direction, in one pass over the pairs: each product of codes is compared with the
/// thresholds of both its rows. CSLS needs both. `before`: what was found when the rows lay a little elsewhere, k a row
/// or more; the thresholds start from it (pruning/refine_candidates.h). Null: they start from clusters.
TwoSidedNeighbors two_sided_search(ConstMatrixView source, ConstMatrixView target, std::size_t k,
                                   const Kernels& chosen = kernels(), const TwoSidedNeighbors* before = nullptr);

}  // namespace wordbridge
