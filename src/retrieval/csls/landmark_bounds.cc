#include "retrieval/csls/landmark_bounds.h"

#include <algorithm>
#include <limits>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"
#include "search/kernels/kernel_choice.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kTargetBlock = 512;    // targets of a matrix product
constexpr std::size_t kLandmarkBlock = 256;  // landmarks of a matrix product

}  // namespace

Matrix landmarks(ConstMatrixView sources, const std::vector<std::vector<WordId>>& pools, std::size_t k) {
  const std::size_t d = sources.cols();
  Matrix result = Matrix::uninitialized(pools.size(), d);
  ThreadPool::current().for_chunks(pools.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> sum(d);
    for (std::size_t i = begin; i < end; ++i) {
      std::fill(sum.begin(), sum.end(), 0);
      for (const WordId id : std::span(pools[i]).first(k)) {
        const auto row = sources.row(id);
        for (std::size_t j = 0; j < d; ++j) sum[j] += row[j];
      }
      for (std::size_t j = 0; j < d; ++j) result(i, j) = static_cast<float>(sum[j] / static_cast<double>(k));
    }
  });
  return result;
}

void raise_by_landmarks(ConstMatrixView landmarks, ConstMatrixView targets, double slack, std::span<float> mean,
                        std::span<std::uint32_t> best) {
  ThreadPool& pool = ThreadPool::current();
  std::vector<Matrix> products(static_cast<std::size_t>(pool.size()));
  pool.for_chunks(targets.rows(), kTargetBlock, [&](std::size_t begin, std::size_t end, int worker) {
    Matrix& memory = products[static_cast<std::size_t>(worker)];
    if (memory.empty()) memory = Matrix::uninitialized(kLandmarkBlock, kTargetBlock);
    std::vector<float> largest(end - begin, -std::numeric_limits<float>::infinity());
    for (std::size_t first = 0; first < landmarks.rows(); first += kLandmarkBlock) {
      const std::size_t rows = std::min(kLandmarkBlock, landmarks.rows() - first);
      const MatrixView product(memory.data(), rows, end - begin, kTargetBlock);
      multiply_abt_into(landmarks.slice(first, first + rows), targets.slice(begin, end), product);
      for (std::size_t i = 0; i < rows; ++i) {
        const float* values = product.row(i).data();
        if (!best.empty())
          for (std::size_t j = 0; j < largest.size(); ++j)
            if (values[j] > largest[j]) best[begin + j] = static_cast<std::uint32_t>(first + i);
        for (std::size_t j = 0; j < largest.size(); ++j) largest[j] = std::max(largest[j], values[j]);
      }
    }
    for (std::size_t j = 0; j < largest.size(); ++j)
      mean[begin + j] = std::max(mean[begin + j], float_below(largest[j] - slack));
  });
}

OpenTarget bound_by_landmark(const CslsBatch& batch, const MeanBounds& bounds, std::size_t query,
                             std::span<const float> landmark, WordId target) {
  const float* row = batch.targets.row(target).data();
  const std::size_t d = batch.targets.cols();
  const double cosine = kernels().score->exact_score(batch.queries.row(query).data(), row, d);
  const double by_landmark = kernels().score->exact_score(landmark.data(), row, d) - batch.mean_slack;
  const double mean = std::max<double>(by_landmark, bounds.mean[target]);
  return {batch.upper_bound(query, cosine, mean), mean, -std::numeric_limits<float>::infinity(), target};
}

}  // namespace wordbridge
