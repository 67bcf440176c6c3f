#include "search/two_sided_search.h"

#include <algorithm>
#include <limits>

#include "parallel/thread_pool.h"
#include "search/int8/int8_scan.h"
#include "search/int8_search.h"
#include "search/pruning/cluster_lower_bounds.h"
#include "search/pruning/rescored_lower_bounds.h"
#include "search/pruning/reverse_candidates.h"
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

Neighbors part_of(const Neighbors& all, std::size_t begin, std::size_t end) {
  const auto from = static_cast<std::ptrdiff_t>(begin * all.found), to = static_cast<std::ptrdiff_t>(end * all.found);
  return {end - begin, all.found, {all.ids.begin() + from, all.ids.begin() + to}, {}};
}

/// By what was found before: of the first `words` rows in the whole other table, of the others in its first rows.
std::vector<float> rescored_bounds(ConstMatrixView rows, ConstMatrixView others, const Neighbors& before, std::size_t k,
                                   std::size_t words) {
  if (before.queries != rows.rows()) return std::vector<float>(rows.rows(), -std::numeric_limits<float>::infinity());
  std::vector<float> bounds = rescored_lower_bounds(rows.slice(0, words), others, part_of(before, 0, words), k);
  const std::vector<float> of_rest =
      rescored_lower_bounds(rows.slice(words, rows.rows()), others.slice(0, std::min(words, others.rows())),
                            part_of(before, words, rows.rows()), k);
  bounds.insert(bounds.end(), of_rest.begin(), of_rest.end());
  return bounds;
}

/// The same by clusters.
ClusterLowerBounds cluster_bounds(ConstMatrixView source, ConstMatrixView target, std::size_t of_source,
                                  std::size_t of_target, std::size_t sources, std::size_t targets) {
  ClusterLowerBounds bounds = cluster_lower_bounds(source, target, of_source, of_target);
  if (sources < source.rows())
    std::ranges::copy(
        cluster_lower_bounds(source.slice(sources, source.rows()), target.slice(0, targets), of_source, of_target)
            .of_source,
        bounds.of_source.begin() + static_cast<std::ptrdiff_t>(sources));
  if (targets < target.rows())
    std::ranges::copy(
        cluster_lower_bounds(source.slice(0, sources), target.slice(targets, target.rows()), of_source, of_target)
            .of_target,
        bounds.of_target.begin() + static_cast<std::ptrdiff_t>(targets));
  return bounds;
}

/// The panels that hold the rows before this one of the table.
std::size_t panels_before(const Int8Table& table, std::size_t id) {
  std::uint32_t row = 0;
  while (row < table.rows() && table.id_of(row) < id) ++row;
  return (row + kPanelRows - 1) / kPanelRows;
}

}  // namespace

TwoSidedNeighbors two_sided_search(ConstMatrixView source, ConstMatrixView target, std::size_t k, const Kernels& chosen,
                                   const TwoSidedNeighbors* before, std::size_t words) {
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

  const std::size_t first_sources = words == 0 ? source.rows() : std::min(words, source.rows());
  const std::size_t first_targets = words == 0 ? target.rows() : std::min(words, target.rows());
  const ClusterLowerBounds lower_bounds =
      before == nullptr
          ? cluster_bounds(source, target, of_source, of_target, first_sources, first_targets)
          : ClusterLowerBounds{rescored_bounds(source, target, before->of_source, of_source, first_sources),
                               rescored_bounds(target, source, before->of_target, of_target, first_targets)};
  ReverseCandidates candidates(table, source, of_target, lower_bounds.of_target);
  ThreadPool& pool = ThreadPool::current();
  const std::size_t tasks = 6 * static_cast<std::size_t>(pool.size());
  const std::size_t block =
      std::min({std::max<std::size_t>(96, source.rows() / tasks), kSourceBlock, Int8Scan::most_queries(of_source)});
  const auto scan_sources = [&](std::size_t begin, std::size_t end, std::size_t panels) {
    Int8Scan scan(table, source.slice(begin, end), of_source);
    for (std::size_t i = begin; i < end; ++i) scan.raise_lower_bound(i - begin, lower_bounds.of_source[i]);
    scan.filter_both_sides(candidates, begin, panels);
    for (std::size_t i = begin; i < end; ++i) store(scan.take_top_k(i - begin), i, result.of_source);
  };
  pool.for_chunks(first_sources, block,
                  [&](std::size_t begin, std::size_t end, int) { scan_sources(begin, end, table.panels()); });
  const std::size_t first_panels = panels_before(table, first_targets);
  pool.for_chunks(source.rows() - first_sources, block, [&](std::size_t begin, std::size_t end, int) {
    scan_sources(first_sources + begin, first_sources + end, first_panels);
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
