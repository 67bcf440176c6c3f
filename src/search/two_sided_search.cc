#include "search/two_sided_search.h"

#include <algorithm>

#include "parallel/thread_pool.h"
#include "search/int8/int8_scan.h"
#include "search/int8_search.h"
#include "search/pruning/candidate_lists.h"
#include "search/pruning/cluster_bounds.h"
#include "search/pruning/refine_candidates.h"
#include "search/search_tasks.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSourceBlock = 1024;

Neighbors empty_result(std::size_t queries, std::size_t found) {
  Neighbors result;
  result.queries = queries;
  result.found = found;
  result.ids.resize(queries * found);
  result.scores.resize(queries * found);
  return result;
}

}  // namespace

TwoSidedNeighbors two_sided_search(ConstMatrixView source, ConstMatrixView target, std::size_t k, const Kernels& chosen,
                                   const TwoSidedNeighbors* before) {
  if (source.cols() != target.cols()) throw UsageError("the two tables differ in dimension");
  std::size_t sources = 0;
  for (std::size_t i = 0; i < source.rows(); ++i) sources += !is_zero(source.row(i));
  // A pair that one side does not want is often wanted by the other: checks would end too little for what they take.
  const Int8Table table(target, chosen, TableLayout::plain);
  TwoSidedNeighbors result{empty_result(source.rows(), std::min(k, table.rows())),
                           empty_result(target.rows(), std::min(k, sources))};
  const std::size_t of_source = result.of_source.found, of_target = result.of_target.found;
  if (of_source == 0 || of_target == 0) return result;
  if (!table.unit_fits(source)) {  // norms over so many orders that no unit is good for all
    result.of_source = Int8Search(target, chosen).search(source, k);
    result.of_target = Int8Search(source, chosen).search(target, k);
    return result;
  }

  const ClusterLowerBounds lower_bounds =
      before == nullptr ? cluster_lower_bounds(source, target, of_source, of_target)
                        : ClusterLowerBounds{rescored_lower_bounds(source, target, before->of_source, of_source),
                                             rescored_lower_bounds(target, source, before->of_target, of_target)};
  ReverseCandidates candidates(table, source, of_target, lower_bounds.of_target);
  ThreadPool& pool = ThreadPool::current();
  const std::size_t tasks = 6 * static_cast<std::size_t>(pool.size());
  const std::size_t block =
      std::min({std::max<std::size_t>(96, source.rows() / tasks), kSourceBlock, Int8Scan::most_queries(of_source)});
  pool.for_chunks(source.rows(), block, [&](std::size_t begin, std::size_t end, int) {
    Int8Scan scan(table, source.slice(begin, end), of_source);
    for (std::size_t i = begin; i < end; ++i) scan.raise_lower_bound(i - begin, lower_bounds.of_source[i]);
    scan.filter_both_sides(candidates, begin, table.panels());
    for (std::size_t i = begin; i < end; ++i) store(scan.take_top_k(i - begin), i, result.of_source);
  });
  TopK<float> for_zero(of_target);  // as any search answers a zero query: all scores tie
  for (std::size_t i = 0; for_zero.size() < of_target; ++i)
    if (!is_zero(source.row(i))) for_zero.offer(0, static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < target.rows(); ++i)
    if (is_zero(target.row(i))) store(for_zero, i, result.of_target);
  pool.for_chunks(table.rows(), 256, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t row = begin; row < end; ++row)
      store(candidates.take_top_k(static_cast<std::uint32_t>(row)), table.id_of(static_cast<std::uint32_t>(row)),
            result.of_target);
  });
  return result;
}

}  // namespace wordbridge
