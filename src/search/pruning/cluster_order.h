#pragma once
#include <cstdint>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// An order of the rows of a few coordinates each in which every `size` rows in turn are a cluster, and the clusters
/// themselves follow each other at random: so the first ones are a sample of all. Halves the rows by the coordinate of
/// largest variance, again and again, as a k-d tree does. The last cluster may be smaller.
std::vector<std::uint32_t> cluster_order(ConstMatrixView rows, std::size_t size);

}  // namespace wordbridge
