#pragma once
#include <cstddef>
#include <limits>
#include <memory>

#include "search/neighbor_search.h"

namespace wordbridge {

/// An index costs about as much as this many plain queries, whatever the size of the table: both grow with it.
inline constexpr std::size_t kQueriesWorthAnIndex = 600;

/// The fastest exact search over `table` on this machine for about so many queries in all: an index pays off from some
/// hundreds on. The table must outlive it and stay unchanged.
std::unique_ptr<NeighborSearch> make_search(ConstMatrixView table,
                                            std::size_t expected_queries = std::numeric_limits<std::size_t>::max());

/// The fastest for queries that come again and again, moved a little each time (make_moving_search).
std::unique_ptr<NeighborSearch> make_search_for_moving(ConstMatrixView table);

/// Whether this machine has instructions for products of 8-bit codes. Without, BLAS is faster than an int8 filter.
bool int8_filter_is_fast();

}  // namespace wordbridge
