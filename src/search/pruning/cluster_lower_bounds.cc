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
#include "search/rounding.h"
#include "search/top_k_values.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kClusterRows = 195;  // on average
constexpr std::size_t kLeastClusters = 8, kMostClusters = 512;
constexpr std::size_t kPool = 384;         // rows that are scored for a lower bound
constexpr std::size_t kProductRows = 512;  // rows of a matrix product

/// The rows of a table by cluster.
struct Clusters {
  std::vector<std::uint32_t> rows;     // without zero rows
  std::vector<std::size_t> starts{0};  // of each cluster, and the end
  std::span<const std::uint32_t> at(std::size_t cluster) const {
    return std::span(rows).subspan(starts[cluster], starts[cluster + 1] - starts[cluster]);
  }
};

/// Some rows that are not zero, from all over a table.
Matrix sample_of(ConstMatrixView table, std::size_t count) {
  std::vector<std::uint32_t> sample;
  for (std::size_t i = 0; i < std::min(count, table.rows()); ++i)
    if (const std::size_t row = i * table.rows() / std::min(count, table.rows()); !is_zero(table.row(row)))
      sample.push_back(static_cast<std::uint32_t>(row));
  return gather_rows(table, sample);
}

std::vector<double> mean_of(const Matrix& rows) {
  std::vector<double> mean(rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) mean[j] += double{rows(i, j)} / static_cast<double>(rows.rows());
  return mean;
}

/// The directions in which some rows lie from their mean: what all rows have in common, and how long they are, tells
/// nothing about which are similar.
Matrix directions_of(Matrix rows) {
  const std::vector<double> mean = mean_of(rows);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < rows.cols(); ++j) square += std::pow(double{rows(i, j)} - mean[j], 2);
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (std::size_t j = 0; j < rows.cols(); ++j)
      rows(i, j) = static_cast<float>(scale * (double{rows(i, j)} - mean[j]));
  }
  return rows;
}

/// Each row goes to the centroid in whose direction it lies furthest from the mean. Where products overflow it goes
/// anywhere.
Clusters assign_to_clusters(ConstMatrixView table, const Matrix& centroids) {
  const std::vector<double> mean = mean_of(sample_of(table, kMostClusters));
  std::vector<float> of_mean(centroids.rows());
  for (std::size_t c = 0; c < centroids.rows(); ++c)
    of_mean[c] = static_cast<float>(std::inner_product(mean.begin(), mean.end(), centroids.row(c).begin(), 0.0));
  std::vector<std::uint32_t> nearest(table.rows());
  ThreadPool::current().for_chunks(table.rows(), kProductRows, [&](std::size_t begin, std::size_t end, int) {
    Matrix products = Matrix::uninitialized(end - begin, centroids.rows());
    multiply_abt_into(table.slice(begin, end), centroids, products);
    for (std::size_t i = begin; i < end; ++i) {
      const float* product = products.row(i - begin).data();
      std::uint32_t best = 0;
      for (std::uint32_t c = 1; c < centroids.rows(); ++c)
        if (product[c] - of_mean[c] > product[best] - of_mean[best]) best = c;
      nearest[i] = best;
    }
  });
  std::vector<std::vector<std::uint32_t>> members(centroids.rows());
  for (std::uint32_t i = 0; i < table.rows(); ++i)
    if (!is_zero(table.row(i))) members[nearest[i]].push_back(i);
  Clusters result;
  for (const auto& rows : members) {
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    result.starts.push_back(result.rows.size());
  }
  return result;
}

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
  const Matrix centroids = directions_of(sample_of(target, std::min(target.rows() / kClusterRows, kMostClusters)));
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
