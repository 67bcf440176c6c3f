#pragma once
#include <optional>
#include <span>

#include "wordbridge/neighbors/neighbor_search.h"

namespace wordbridge {

/// The same as search.search(queries, k), for less where something is known: for query i at least k rows score at least
/// floors[i], or all that are not zero where these are fewer. So the rows that reach the floors are all that count, and
/// no threshold has to be found on the way. Nothing where more than `most` rows reach them in all, because the floors
/// are too low.
std::optional<Neighbors> search_from_floors(const NeighborSearch& search, ConstMatrixView queries, std::size_t k,
                                            std::span<const double> floors, std::size_t most);

}  // namespace wordbridge
