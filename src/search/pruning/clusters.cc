#include "search/pruning/clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"

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

}  // namespace wordbridge
