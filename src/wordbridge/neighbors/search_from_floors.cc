#include "wordbridge/neighbors/search_from_floors.h"

#include <algorithm>
#include <vector>

#include "wordbridge/neighbors/best_scores.h"
#include "wordbridge/neighbors/kernel_choice.h"
#include "wordbridge/neighbors/prefetch.h"
#include "wordbridge/neighbors/search_tasks.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesAtOnce = 64;

/// The k best of some rows with bounds of their scores from above; leaves them sorted.
BestScores best_by_bounds(const float* query, ConstMatrixView table, std::size_t k, std::span<ScoredRow> rows) {
  std::sort(rows.begin(), rows.end(), [](const ScoredRow& a, const ScoredRow& b) { return a.better_than(b); });
  const std::size_t d = table.cols();
  constexpr std::size_t kAhead = 6;
  BestScores best(k);
  for (std::size_t r = 0; r < std::min(kAhead, rows.size()); ++r) prefetch(table.row(rows[r].id).data(), d);
  for (std::size_t r = 0; r < rows.size() && rows[r].score >= best.threshold(); ++r) {
    if (r + kAhead < rows.size()) prefetch(table.row(rows[r + kAhead].id).data(), d);
    best.offer({kernels().score->exact_score(query, table.row(rows[r].id).data(), d), rows[r].id});
  }
  return best;
}

}  // namespace

std::optional<Neighbors> search_from_floors(const NeighborSearch& search, ConstMatrixView queries, std::size_t k,
                                            std::span<const double> floors, std::size_t most) {
  if (queries.rows() == 0) return search.search(queries, k);
  const std::optional<ReachingRows> reaching = search.reaching(queries, floors, {}, most);
  if (!reaching) return std::nullopt;
  // All queries reach k rows, or all rows there are.
  for (std::size_t i = 0; i < queries.rows(); ++i) k = std::min(k, reaching->of(i).size());
  Neighbors result;
  result.queries = queries.rows();
  result.found = k;
  result.ids.resize(queries.rows() * k);
  result.scores.resize(queries.rows() * k);
  ThreadPool::shared().for_chunks(queries.rows(), kQueriesAtOnce, [&](std::size_t begin, std::size_t end, int) {
    std::vector<ScoredRow> rows;
    for (std::size_t i = begin; i < end; ++i) {
      rows.assign(reaching->of(i).begin(), reaching->of(i).end());
      store(best_by_bounds(queries.row(i).data(), search.table(), k, rows), i, result);
    }
  });
  return result;
}

}  // namespace wordbridge
