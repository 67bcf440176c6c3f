#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// An order of the rows of a few coordinates each in which every `size` rows in turn are a cluster, and the clusters
/// themselves follow each other at random: so the first ones are a sample of all. Halves the rows by the coordinate of
/// largest variance, again and again, as a k-d tree does. The last cluster may be smaller.
std::vector<std::uint32_t> cluster_order(ConstMatrixView rows, std::size_t size);

/// The rows of two tables in clusters around the same centroids, some rows of the target table. What is in the same
/// cluster, or in the nearest ones, is likely to be near: for each row a pool of a few hundred rows of the other table.
class ClusterPools {
 public:
  ClusterPools(ConstMatrixView source, ConstMatrixView target);

  /// Where the tables are so small that there are no clusters, there are no pools.
  bool empty() const { return next_.empty(); }

  /// The fp32 products of a row with those of its pool, and how far they may be from scores; infinite where they may
  /// overflow.
  using Visit = std::function<void(std::uint32_t row, std::span<const std::uint32_t> pool,
                                   std::span<const float> products, double slack)>;
  /// For each row of a table that is not zero, on all threads; pools of fewer than k rows are left out.
  void visit_sources(std::size_t k, const Visit& visit) const {
    this->visit(source_, sources_, target_, targets_, k, visit);
  }
  void visit_targets(std::size_t k, const Visit& visit) const {
    this->visit(target_, targets_, source_, sources_, k, visit);
  }

 private:
  void visit(ConstMatrixView queries, const Clusters& query_clusters, ConstMatrixView rows,
             const Clusters& row_clusters, std::size_t k, const Visit& visit) const;

  ConstMatrixView source_, target_;
  Clusters sources_, targets_;
  std::vector<std::vector<std::uint32_t>> next_;  // of each cluster all, the nearest first
};

}  // namespace wordbridge
