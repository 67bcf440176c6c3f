#include "search/pruning/cluster_pools.h"

#include <algorithm>
#include <numeric>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kClusterRows = 195;  // on average
constexpr std::size_t kLeastClusters = 8, kMostClusters = 512;
constexpr std::size_t kPool = 384;           // rows that are scored
constexpr std::size_t kRowsOfProduct = 512;  // rows of a matrix product

}  // namespace

ClusterPools::ClusterPools(ConstMatrixView source, ConstMatrixView target) : source_(source), target_(target) {
  const Matrix centroids = sample_centroids(target, std::min(target.rows() / kClusterRows, kMostClusters));
  if (centroids.rows() < kLeastClusters) return;
  const Matrix similarity = multiply_abt(centroids, centroids);
  next_.assign(centroids.rows(), std::vector<std::uint32_t>(centroids.rows()));
  for (std::size_t c = 0; c < next_.size(); ++c) {
    std::iota(next_[c].begin(), next_[c].end(), 0u);
    std::swap(next_[c][0], next_[c][c]);
    std::sort(next_[c].begin() + 1, next_[c].end(), [&](std::uint32_t a, std::uint32_t b) {
      return similarity(c, a) > similarity(c, b) || (similarity(c, a) == similarity(c, b) && a < b);
    });
  }
  sources_ = assign_to_clusters(source, centroids);
  targets_ = assign_to_clusters(target, centroids);
}

void ClusterPools::visit(ConstMatrixView queries, const Clusters& query_clusters, ConstMatrixView rows,
                         const Clusters& row_clusters, std::size_t k, const Visit& visit) const {
  const std::size_t d = rows.cols();
  ThreadPool::current().for_chunks(next_.size(), 1, [&](std::size_t centroid, std::size_t, int) {
    const std::span<const std::uint32_t> own = query_clusters.at(centroid);
    if (own.empty()) return;
    std::vector<std::uint32_t> pool;
    for (const std::uint32_t other : next_[centroid]) {
      const auto more = row_clusters.at(other);
      pool.insert(pool.end(), more.begin(),
                  more.begin() + static_cast<std::ptrdiff_t>(std::min(more.size(), kPool - pool.size())));
      if (pool.size() == kPool) break;
    }
    if (pool.size() < k) return;
    const Matrix near = gather_rows(rows, pool);
    Matrix products = Matrix::uninitialized(std::min(kRowsOfProduct, own.size()), pool.size());
    double norm = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) norm = std::max(norm, norm_above(near.row(i).data(), d));
    for (std::size_t begin = 0; begin < own.size(); begin += kRowsOfProduct) {
      Context::poll();
      const auto block = own.subspan(begin, std::min(kRowsOfProduct, own.size() - begin));
      const Matrix some = gather_rows(queries, block);
      multiply_abt_into(some, near, products.view().slice(0, block.size()));
      for (std::size_t i = 0; i < block.size(); ++i)
        visit(block[i], pool, products.row(i), fp32_slack(d, norm_above(some.row(i).data(), d) * norm));
    }
  });
}

}  // namespace wordbridge
