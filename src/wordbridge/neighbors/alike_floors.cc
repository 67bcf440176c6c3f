#include "wordbridge/neighbors/alike_floors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/gather.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/neighbors/top_k_values.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsOfCenter = 195;  // on average
constexpr std::size_t kLeastCenters = 8, kMostCenters = 512;
constexpr std::size_t kPool = 384;         // rows that are looked at for a floor
constexpr std::size_t kProductRows = 512;  // rows of a matrix product

/// Rows in order of their centers.
struct Sorted {
  std::vector<std::uint32_t> rows;     // without zero rows
  std::vector<std::size_t> starts{0};  // of the rows of each center, and the end
  std::span<const std::uint32_t> at(std::size_t center) const {
    return std::span(rows).subspan(starts[center], starts[center + 1] - starts[center]);
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
/// nothing about which are alike.
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

/// Each row goes to the center in whose direction it lies furthest from the mean. Where products overflow it goes
/// anywhere.
Sorted sort_by_center(ConstMatrixView table, const Matrix& centers) {
  const std::vector<double> mean = mean_of(sample_of(table, kMostCenters));
  std::vector<float> of_mean(centers.rows());
  for (std::size_t c = 0; c < centers.rows(); ++c)
    of_mean[c] = static_cast<float>(std::inner_product(mean.begin(), mean.end(), centers.row(c).begin(), 0.0));
  std::vector<std::uint32_t> nearest(table.rows());
  ThreadPool::current().for_chunks(table.rows(), kProductRows, [&](std::size_t begin, std::size_t end, int) {
    Matrix products = Matrix::uninitialized(end - begin, centers.rows());
    multiply_abt_into(table.slice(begin, end), centers, products);
    for (std::size_t i = begin; i < end; ++i) {
      const float* product = products.row(i - begin).data();
      std::uint32_t best = 0;
      for (std::uint32_t c = 1; c < centers.rows(); ++c)
        if (product[c] - of_mean[c] > product[best] - of_mean[best]) best = c;
      nearest[i] = best;
    }
  });
  std::vector<std::vector<std::uint32_t>> members(centers.rows());
  for (std::uint32_t i = 0; i < table.rows(); ++i)
    if (!is_zero(table.row(i))) members[nearest[i]].push_back(i);
  Sorted result;
  for (const auto& rows : members) {
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    result.starts.push_back(result.rows.size());
  }
  return result;
}

/// The floors of the queries among the rows that are alike; `next` holds for each center all, the nearest first.
std::vector<float> floors_of(ConstMatrixView queries, const Sorted& sorted_queries, ConstMatrixView rows,
                             const Sorted& sorted_rows, const std::vector<std::vector<std::uint32_t>>& next,
                             std::size_t k) {
  std::vector<float> result(queries.rows(), -std::numeric_limits<float>::infinity());
  const std::size_t d = rows.cols();
  ThreadPool::current().for_chunks(next.size(), 1, [&](std::size_t center, std::size_t, int) {
    const std::span<const std::uint32_t> own = sorted_queries.at(center);
    if (own.empty()) return;
    std::vector<std::uint32_t> pool;
    for (const std::uint32_t other : next[center]) {
      const auto more = sorted_rows.at(other);
      pool.insert(pool.end(), more.begin(),
                  more.begin() + static_cast<std::ptrdiff_t>(std::min(more.size(), kPool - pool.size())));
      if (pool.size() == kPool) break;
    }
    if (pool.size() < k) return;
    const Matrix alike = gather_rows(rows, pool);
    Matrix products = Matrix::uninitialized(std::min(kProductRows, own.size()), pool.size());
    double norm = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) norm = std::max(norm, norm_above(alike.row(i).data(), d));
    TopKValues largest(k);
    for (std::size_t begin = 0; begin < own.size(); begin += kProductRows) {
      const auto block = own.subspan(begin, std::min(kProductRows, own.size() - begin));
      const Matrix some = gather_rows(queries, block);
      multiply_abt_into(some, alike, products.view().slice(0, block.size()));
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

AlikeFloors alike_floors(ConstMatrixView source, ConstMatrixView target, std::size_t k_source, std::size_t k_target) {
  const Matrix centers = directions_of(sample_of(target, std::min(target.rows() / kRowsOfCenter, kMostCenters)));
  if (centers.rows() < kLeastCenters) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    return {std::vector<float>(source.rows(), kNone), std::vector<float>(target.rows(), kNone)};
  }
  const Matrix likeness = multiply_abt(centers, centers);
  std::vector<std::vector<std::uint32_t>> next(centers.rows(), std::vector<std::uint32_t>(centers.rows()));
  for (std::size_t c = 0; c < next.size(); ++c) {
    std::iota(next[c].begin(), next[c].end(), 0u);
    std::swap(next[c][0], next[c][c]);
    std::sort(next[c].begin() + 1, next[c].end(), [&](std::uint32_t a, std::uint32_t b) {
      return likeness(c, a) > likeness(c, b) || (likeness(c, a) == likeness(c, b) && a < b);
    });
  }
  const Sorted sources = sort_by_center(source, centers), targets = sort_by_center(target, centers);
  return {floors_of(source, sources, target, targets, next, k_source),
          floors_of(target, targets, source, sources, next, k_target)};
}

}  // namespace wordbridge
