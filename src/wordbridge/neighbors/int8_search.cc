#include "wordbridge/neighbors/int8_search.h"

#include <algorithm>
#include <limits>

#include "wordbridge/base/error.h"
#include "wordbridge/neighbors/int8_scan.h"
#include "wordbridge/neighbors/search_tasks.h"

namespace wordbridge {

namespace {

/// Large, so that the codes of the table are read from memory as seldom as possible.
constexpr std::size_t kQueryBlock = 1536;
/// Smaller ones are cut by rows instead, although every range of rows then has to find its own thresholds.
constexpr std::size_t kLeastQueryBlock = 384;

}  // namespace

Neighbors Int8Search::search(ConstMatrixView queries, std::size_t k) const { return search(queries, k, nullptr); }

Neighbors Int8Search::search_again(ConstMatrixView queries, std::size_t k, const Neighbors& previous) const {
  if (previous.queries != queries.rows()) throw UsageError("previous neighbors of another number of queries");
  return search(queries, k, &previous);
}

Neighbors Int8Search::search(ConstMatrixView queries, std::size_t k, const Neighbors* previous) const {
  const ConstMatrixView table = table_.table();
  if (queries.cols() != table.cols()) throw UsageError("queries and table differ in dimension");
  const std::size_t found = std::min(k, table_.rows());
  const SearchCut cut{queries.rows(), table_.panels(), std::min(kQueryBlock, Int8Scan::most_queries(found)),
                      std::min(kLeastQueryBlock, Int8Scan::most_queries(found)), 64};
  return run_search_tasks(cut, found, [&](const SearchTask& task, std::span<BestScores> best) {
    Int8Scan scan(table_, queries.slice(task.query_begin, task.query_end), found);
    if (previous != nullptr && previous->found >= found)
      for (std::size_t i = task.query_begin; i < task.query_end; ++i) {
        // The first `found` of the previous neighbors are that many different rows.
        float least = std::numeric_limits<float>::infinity();
        for (const std::uint32_t id : previous->ids_of(i).first(found))
          least = std::min(
              least, table_.kernels().score->exact_score(queries.row(i).data(), table.row(id).data(), table.cols()));
        scan.raise_threshold(i - task.query_begin, least);
      }
    scan.screen(task.unit_begin, task.unit_end);
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = scan.take_best(i);
  });
}

}  // namespace wordbridge
