#include "retrieval/near_words.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"
#include "search/blas_search.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSampleStride = 16;  // one source word of so many tells what is near

}  // namespace

std::vector<std::vector<WordId>> near_words(const TableSearch& sources, ConstMatrixView queries, std::size_t k,
                                            std::size_t first, std::size_t count, std::size_t most) {
  const ConstMatrixView table = sources.table();
  const std::size_t stride = table.rows() < 2 * kSampleStride * count ? 1 : kSampleStride;
  std::vector<WordId> sampled;
  for (std::size_t row = 0; row < table.rows(); row += stride) sampled.push_back(static_cast<WordId>(row));
  const Matrix sample = gather_rows(table, sampled);
  const std::size_t wanted = std::max(k, count / stride);
  const Neighbors best = BlasSearch(sample).search(queries, wanted);
  std::vector<double> thresholds(queries.rows(), -std::numeric_limits<double>::infinity());
  if (best.found == wanted)
    for (std::size_t i = 0; i < queries.rows(); ++i) thresholds[i] = best.scores_of(i).back();

  std::vector<std::vector<WordId>> result(queries.rows());
  const std::optional<RangeSearchResult> found = sources.range_search(queries, thresholds, {}, most);
  if (!found) {  // too many are equally near
    const Neighbors nearest = sources.search(queries, count);
    for (std::size_t i = 0; i < queries.rows(); ++i)
      result[i].assign(nearest.ids_of(i).begin(), nearest.ids_of(i).end());
    return result;
  }
  ThreadPool::current().for_chunks(queries.rows(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      std::vector<ScoredRow> rows(found->of(i).begin(), found->of(i).end());
      for (const std::size_t kept : {count, first})
        if (kept < rows.size()) {
          std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end(),
                           [](const ScoredRow& a, const ScoredRow& b) { return a.better_than(b); });
          if (kept == count) rows.resize(count);
        }
      for (const ScoredRow& row : rows) result[i].push_back(row.id);
    }
  });
  return result;
}

}  // namespace wordbridge
