#include "search/pruning/clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSampleForMean = 512;     // rows whose mean stands for that of the table
constexpr std::size_t kAssignedTogether = 512;  // rows of a matrix product

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

}  // namespace

Matrix sample_centroids(ConstMatrixView table, std::size_t count) {
  Matrix rows = sample_of(table, count);
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

Clusters assign_to_clusters(ConstMatrixView table, const Matrix& centroids) {
  const std::vector<double> mean = mean_of(sample_of(table, kSampleForMean));
  std::vector<float> of_mean(centroids.rows());
  for (std::size_t c = 0; c < centroids.rows(); ++c)
    of_mean[c] = static_cast<float>(std::inner_product(mean.begin(), mean.end(), centroids.row(c).begin(), 0.0));
  std::vector<std::uint32_t> nearest(table.rows());
  ThreadPool::current().for_chunks(table.rows(), kAssignedTogether, [&](std::size_t begin, std::size_t end, int) {
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
  Clusters result;
  if (centroids.rows() == 0) return result;  // of rows that are all zero
  std::vector<std::vector<std::uint32_t>> members(centroids.rows());
  for (std::uint32_t i = 0; i < table.rows(); ++i)
    if (!is_zero(table.row(i))) members[nearest[i]].push_back(i);
  for (const auto& rows : members) {
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    result.starts.push_back(result.rows.size());
  }
  return result;
}

namespace {

/// The coordinate in which these rows differ most.
std::size_t widest(ConstMatrixView rows, std::span<const std::uint32_t> some, std::vector<float>& memory) {
  const std::size_t d = rows.cols();
  memory.assign(2 * d, 0.0f);
  float *sums = memory.data(), *squares = sums + d;
  // Every eighth row tells as much where they are many.
  const std::size_t stride = some.size() > 1024 ? 8 : 1;
  float count = 0;
  for (std::size_t i = 0; i < some.size(); i += stride) {
    ++count;
    const float* row = rows.row(some[i]).data();
    for (std::size_t j = 0; j < d; ++j) {
      sums[j] += row[j];
      squares[j] += row[j] * row[j];
    }
  }
  std::size_t best = 0;
  const auto variance = [&](std::size_t j) { return squares[j] - sums[j] * sums[j] / count; };
  for (std::size_t j = 1; j < d; ++j)
    if (variance(j) > variance(best)) best = j;
  return best;
}

void halve(ConstMatrixView rows, std::size_t size, std::span<std::uint32_t> some, std::vector<float>& memory) {
  while (some.size() > size) {
    Context::poll();
    const std::size_t j = widest(rows, some, memory), half = (some.size() / 2 + size - 1) / size * size;
    std::nth_element(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(half), some.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rows(a, j) < rows(b, j); });
    halve(rows, size, some.first(half), memory);
    some = some.subspan(half);
  }
}

}  // namespace

std::vector<std::uint32_t> cluster_order(ConstMatrixView rows, std::size_t size) {
  std::vector<std::uint32_t> sorted(rows.rows());
  std::iota(sorted.begin(), sorted.end(), 0u);
  if (rows.cols() == 0) return sorted;
  std::vector<float> memory;
  halve(rows, size, sorted, memory);

  std::vector<std::size_t> clusters(sorted.size() / size);
  std::iota(clusters.begin(), clusters.end(), 0u);
  Random(20'181'031).shuffle(clusters);
  std::vector<std::uint32_t> result;
  result.reserve(sorted.size());
  for (const std::size_t c : clusters)
    result.insert(result.end(), sorted.begin() + static_cast<std::ptrdiff_t>(c * size),
                  sorted.begin() + static_cast<std::ptrdiff_t>((c + 1) * size));
  result.insert(result.end(), sorted.begin() + static_cast<std::ptrdiff_t>(result.size()), sorted.end());
  return result;
}

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
