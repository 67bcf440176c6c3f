#pragma once
#include <cstddef>
#include <vector>

#include "search/neighbor_search.h"

namespace wordbridge {

/// Warm start: for each query a lower bound of its k-th best score among the rows, the k-th best of the exact scores of
/// rows that were its neighbors `before`, when queries or rows lay a little elsewhere. Any k rows give a lower bound;
/// old neighbors give one that hardly any other row reaches. Minus infinity where `before` tells too little, or a row
/// has become zero.
std::vector<float> rescored_lower_bounds(ConstMatrixView queries, ConstMatrixView rows, const Neighbors& before,
                                         std::size_t k);

}  // namespace wordbridge
