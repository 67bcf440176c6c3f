#include "retrieval/csls/csls_memory.h"

#include <algorithm>
#include <limits>

#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kTargetsOfTask = 512;

}  // namespace

void CslsMemory::forget_queries() {
  near.clear();
  pools.clear();
  top = {};
  best = {};
}

void raise_by_memory(const CslsBatch& batch, const CslsMemory& memory, ConstMatrixView own_landmarks,
                     MeanBounds& bounds) {
  const std::size_t d = batch.targets.cols();
  const auto exact = kernels().score->exact_score;
  ThreadPool::current().for_chunks(batch.targets.rows(), kTargetsOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t y = begin; y < end; ++y) {
      const float* row = batch.targets.row(y).data();
      const std::span<const WordId> nearest = memory.nearest.of(static_cast<WordId>(y));
      if (nearest.size() < batch.k) {
        if (memory.landmark_of.empty()) continue;
        const double product = exact(own_landmarks.row(memory.landmark_of[y]).data(), row, d);
        bounds.mean[y] = std::max(bounds.mean[y], float_below(product - batch.mean_slack));
        continue;
      }
      double sum = 0;
      float least = std::numeric_limits<float>::infinity();
      for (const WordId source : nearest.first(batch.k)) {
        const float score = exact(batch.sources.row(source).data(), row, d);
        sum += score;
        least = std::min(least, score);
      }
      bounds.mean[y] = std::max(bounds.mean[y], float_below(sum / static_cast<double>(batch.k) - batch.mean_slack));
      bounds.kth_score[y] = std::max(bounds.kth_score[y], least);
    }
  });
}

}  // namespace wordbridge
