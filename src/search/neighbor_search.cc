#include "search/neighbor_search.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "parallel/thread_pool.h"
#include "search/blas_search.h"
#include "search/int8_search.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

std::optional<RangeSearchResult> collect_range_matches(
    std::size_t queries, std::size_t units, std::size_t chunk, std::size_t most,
    const std::function<void(std::size_t begin, std::size_t end, std::vector<RangeMatch>& matches)>& task) {
  std::vector<std::vector<RangeMatch>> parts((units + chunk - 1) / chunk);
  std::atomic<std::size_t> total = 0;
  ThreadPool::current().for_chunks(units, chunk, [&](std::size_t begin, std::size_t end, int) {
    if (total > most) return;
    std::vector<RangeMatch>& matches = parts[begin / chunk];
    task(begin, end, matches);
    total += matches.size();
  });
  if (total > most) return std::nullopt;

  RangeSearchResult result;
  result.starts.resize(queries + 1);
  for (const auto& part : parts)
    for (const RangeMatch& match : part) ++result.starts[match.query + 1];
  for (std::size_t i = 0; i < queries; ++i) result.starts[i + 1] += result.starts[i];
  result.rows.resize(total);
  std::vector<std::size_t> next(result.starts.begin(), result.starts.end() - 1);
  for (auto& part : parts) {
    for (const RangeMatch& match : part) result.rows[next[match.query]++] = match.row;
    std::vector<RangeMatch>().swap(part);
  }
  return result;
}

void sort_by_id(std::span<ScoredRow> rows, std::vector<ScoredRow>& memory) {
  constexpr std::size_t kDigit = 8, kFew = 64;  // bits; rows for which counting digits is not worth it
  if (rows.size() <= kFew) {
    std::ranges::sort(rows, {}, &ScoredRow::id);
    return;
  }
  // A radix sort, the last digit first.
  const std::uint32_t largest = std::ranges::max(rows, {}, &ScoredRow::id).id;
  memory.resize(rows.size());
  for (std::size_t shift = 0; shift < 32 && largest >> shift != 0; shift += kDigit) {
    const auto digit = [=](const ScoredRow& row) { return row.id >> shift & ((1u << kDigit) - 1); };
    std::array<std::uint32_t, (1u << kDigit) + 1> starts{};
    for (const ScoredRow& row : rows) ++starts[digit(row) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const ScoredRow& row : rows) memory[starts[digit(row)]++] = row;
    std::ranges::copy(memory, rows.begin());
  }
}

/// Bounds come from the filter of int8 codes; where there is none, products are what the machine does best.
std::unique_ptr<MovingSearch> NeighborSearch::make_moving(std::size_t) const {
  return std::make_unique<RepeatedSearch>(*this);
}

bool int8_filter_is_fast() { return &kernels() != &find_kernels("portable"); }

std::unique_ptr<NeighborSearch> make_search(ConstMatrixView table, std::size_t expected_queries) {
  if (int8_filter_is_fast() && expected_queries >= kQueriesWorthAnIndex) return std::make_unique<Int8Search>(table);
  return std::make_unique<BlasSearch>(table);
}

std::unique_ptr<NeighborSearch> make_search_for_moving(ConstMatrixView table) {
  if (!int8_filter_is_fast()) return std::make_unique<BlasSearch>(table);
  const bool blocks = kernels().filter->block_rows > 0;  // otherwise every call is a scan
  return std::make_unique<Int8Search>(table, kernels(), blocks ? TableLayout::clustered : TableLayout::staged);
}

}  // namespace wordbridge
