#include "search/pruning/cluster_lower_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "linalg/blas.h"
#include "linalg/gather.h"
#include "parallel/thread_pool.h"
#include "search/pruning/clusters.h"
#include "search/rounding.h"
#include "search/top_k_values.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kClusterRows = 195;  // on average
constexpr std::size_t kLeastClusters = 8, kMostClusters = 512;
constexpr std::size_t kPool = 384;         // rows that are scored for a lower bound
constexpr std::size_t kProductRows = 512;  // rows of a matrix product

/// The lower bounds of the queries by the rows of their own and the nearest clusters: `next` holds for each cluster
/// all, the nearest first.
std::vector<float> lower_bounds_of(ConstMatrixView queries, const Clusters& query_clusters, ConstMatrixView rows,
                                   const Clusters& row_clusters, const std::vector<std::vector<std::uint32_t>>& next,
                                   std::size_t k) {
  std::vector<float> result(queries.rows(), -std::numeric_limits<float>::infinity());
  const std::size_t d = rows.cols();
  ThreadPool::current().for_chunks(next.size(), 1, [&](std::size_t centroid, std::size_t, int) {
    const std::span<const std::uint32_t> own = query_clusters.at(centroid);
    if (own.empty()) return;
    std::vector<std::uint32_t> pool;
    for (const std::uint32_t other : next[centroid]) {
      const auto more = row_clusters.at(other);
      pool.insert(pool.end(), more.begin(),
                  more.begin() + static_cast<std::ptrdiff_t>(std::min(more.size(), kPool - pool.size())));
      if (pool.size() == kPool) break;
    }
    if (pool.size() < k) return;
    const Matrix near = gather_rows(rows, pool);
    Matrix products = Matrix::uninitialized(std::min(kProductRows, own.size()), pool.size());
    double norm = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) norm = std::max(norm, norm_above(near.row(i).data(), d));
    TopKValues largest(k);
    for (std::size_t begin = 0; begin < own.size(); begin += kProductRows) {
      Context::poll();
      const auto block = own.subspan(begin, std::min(kProductRows, own.size() - begin));
      const Matrix some = gather_rows(queries, block);
      multiply_abt_into(some, near, products.view().slice(0, block.size()));
      for (std::size_t i = 0; i < block.size(); ++i) {
        const double slack = fp32_slack(d, norm_above(some.row(i).data(), d) * norm);
        if (slack == std::numeric_limits<double>::infinity()) continue;
        largest.select(products.row(i));
        result[block[i]] = float_below(double{largest.kth()} - slack);
      }
    }
  });
  return result;
}

}  // namespace

ClusterLowerBounds cluster_lower_bounds(ConstMatrixView source, ConstMatrixView target, std::size_t k_source,
                                        std::size_t k_target) {
  const Matrix centroids = sample_centroids(target, std::min(target.rows() / kClusterRows, kMostClusters));
  if (centroids.rows() < kLeastClusters) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    return {std::vector<float>(source.rows(), kNone), std::vector<float>(target.rows(), kNone)};
  }
  const Matrix similarity = multiply_abt(centroids, centroids);
  std::vector<std::vector<std::uint32_t>> next(centroids.rows(), std::vector<std::uint32_t>(centroids.rows()));
  for (std::size_t c = 0; c < next.size(); ++c) {
    std::iota(next[c].begin(), next[c].end(), 0u);
    std::swap(next[c][0], next[c][c]);
    std::sort(next[c].begin() + 1, next[c].end(), [&](std::uint32_t a, std::uint32_t b) {
      return similarity(c, a) > similarity(c, b) || (similarity(c, a) == similarity(c, b) && a < b);
    });
  }
  const Clusters sources = assign_to_clusters(source, centroids), targets = assign_to_clusters(target, centroids);
  return {lower_bounds_of(source, sources, target, targets, next, k_source),
          lower_bounds_of(target, targets, source, sources, next, k_target)};
}

}  // namespace wordbridge
