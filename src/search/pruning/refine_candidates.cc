#include "search/pruning/refine_candidates.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesOfChunk = 512;
constexpr float kUnknown = -std::numeric_limits<float>::infinity();

}  // namespace

std::vector<float> rescored_lower_bounds(ConstMatrixView queries, ConstMatrixView rows, const Neighbors& before,
                                         std::size_t k) {
  std::vector<float> result(queries.rows(), kUnknown);
  if (before.queries != queries.rows() || before.found < k || k == 0) return result;
  const std::size_t d = rows.cols();
  const ScoreKernel& kernel = *kernels().score;
  ThreadPool::current().for_chunks(queries.rows(), kQueriesOfChunk, [&](std::size_t begin, std::size_t end, int) {
    Context::poll();
    std::vector<float> scores(before.found);
    // The neighbors of the next queries are asked for while those of one are scored.
    const auto id_at = [&](std::size_t i) { return before.ids[begin * before.found + i]; };
    const auto row_at = [&](std::size_t i) { return id_at(i) < rows.rows() ? rows.row(id_at(i)).data() : nullptr; };
    visit_prefetched((end - begin) * before.found, d, row_at, [&](std::size_t i) {
      const std::size_t query = begin + i / before.found, place = i % before.found;
      const float* row = row_at(i);
      const bool counts = row != nullptr && !is_zero(rows.row(id_at(i)));
      scores[place] = counts ? kernel.exact_score(queries.row(query).data(), row, d) : kUnknown;
      if (place + 1 == before.found) {
        const auto kth = scores.begin() + static_cast<std::ptrdiff_t>(k - 1);
        std::nth_element(scores.begin(), kth, scores.end(), std::greater<>());
        result[query] = *kth;
      }
      return true;
    });
  });
  return result;
}

}  // namespace wordbridge
