#pragma once
#include <memory>

#include "wordbridge/neighbors/neighbor_search.h"

namespace wordbridge {

/// The fastest exact search over `table` on this machine. The table must outlive it and stay unchanged.
std::unique_ptr<NeighborSearch> make_search(ConstMatrixView table);

}  // namespace wordbridge
