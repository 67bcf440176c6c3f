#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// The rows of a table by cluster.
struct Clusters {
  std::vector<std::uint32_t> rows;     // without zero rows
  std::vector<std::size_t> starts{0};  // of each cluster, and the end
  std::span<const std::uint32_t> at(std::size_t cluster) const {
    return std::span(rows).subspan(starts[cluster], starts[cluster + 1] - starts[cluster]);
  }
};

/// Some rows of a table as centroids, at most `count`: the directions in which they lie from their mean, because what
/// all rows have in common, and how long they are, tells nothing about which are similar.
Matrix sample_centroids(ConstMatrixView table, std::size_t count);

/// Each row goes to the centroid in whose direction it lies furthest from the mean. Where products overflow it goes
/// anywhere.
Clusters assign_to_clusters(ConstMatrixView table, const Matrix& centroids);

}  // namespace wordbridge
