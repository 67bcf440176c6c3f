#include "search/int8_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "parallel/thread_pool.h"
#include "search/blas_search.h"
#include "search/int8/int8_scan.h"
#include "search/rounding.h"
#include "search/search_tasks.h"
#include "search/warm_start/warm_start_search.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// Large, so that the codes of the table are read from memory as seldom as possible.
constexpr std::size_t kMostQueryBlock = 1536;
/// Smaller ones are cut by rows instead, although every range of rows then has to find its own thresholds.
constexpr std::size_t kLeastQueryBlock = 384;
/// Panels of a task that is a range search, and of one call of its kernel.
constexpr std::size_t kRangePanels = 64;
constexpr std::size_t kRangePanelsTogether = 4;

}  // namespace

Neighbors Int8Search::search_above(ConstMatrixView queries, std::size_t k, std::span<const float> lower_bounds) const {
  if (queries.cols() != table_.table().cols()) throw UsageError("queries and table differ in dimension");
  if (lower_bounds.size() != queries.rows()) throw UsageError("lower bounds of another number of queries");
  const std::size_t found = std::min(k, table_.rows());
  const SearchCut cut{queries.rows(), table_.panels(), std::min(kMostQueryBlock, Int8Scan::most_queries(found)),
                      std::min(kLeastQueryBlock, Int8Scan::most_queries(found)), 64};
  return run_search_tasks(cut, found, [&](const SearchTask& task, std::span<TopK<float>> best) {
    Int8Scan scan(table_, queries.slice(task.query_begin, task.query_end), found);
    for (std::size_t i = task.query_begin; i < task.query_end; ++i)
      scan.raise_lower_bound(i - task.query_begin, lower_bounds[i]);
    scan.filter(task.unit_begin, task.unit_end);
    for (std::size_t i = 0; i < best.size(); ++i) {
      Context::poll();
      best[i] = scan.take_top_k(i);
    }
  });
}

/// The rows that may reach the thresholds of all queries. The filter takes the offsets off its bounds: with o_j the
/// offset of a row and E = max over queries of unit_i e_i, what it adds for the slack, g_j e_i, becomes
///     (g_j E - o_j) / unit_i,
/// again a number of the row times one of the query. The roundings of the bound (int8_table.h) grow by those of the
/// offset: u o_j in the number itself, in the product, and in the sum with it, and the quotient's own, so 8 u |o_j| are
/// added; and the threshold's side loses less than 2^-50 of itself (threshold_for_score).
class Int8Search::RangeFilter {
 public:
  RangeFilter(const Int8Table& table, ConstMatrixView queries, std::span<const double> thresholds,
              std::span<const float> offsets)
      : table_(table), encoded_(table.encode(queries)), thresholds_(thresholds), offsets_(offsets) {
    limits_.assign(encoded_.padded_count(), std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < encoded_.count; ++i)
      limits_[i] = encoded_.threshold_for_score(i, float_below(thresholds[encoded_.order[i]]));
    if (!offsets.empty()) take_offsets_off(table.unit_for(queries));
  }

  void run(std::size_t begin, std::size_t end, std::vector<RangeMatch>& matches) const {
    const std::size_t room = kRangePanelsTogether * kPanelRows;
    const auto memory = std::make_unique_for_overwrite<RowCandidate[]>(encoded_.padded_count() * room);
    std::vector<RowCandidate*> candidates_of(encoded_.padded_count());
    std::vector<std::uint32_t> counts(encoded_.padded_count());
    for (std::size_t i = 0; i < candidates_of.size(); ++i) candidates_of[i] = memory.get() + i * room;
    EarlyTerminationPolicy checks(table_.checks());
    for (std::size_t panel = begin; panel < end; panel += kRangePanelsTogether) {
      Context::poll();
      FilterJob job = table_.job(encoded_, limits_.data(), panel, std::min(end, panel + kRangePanelsTogether));
      if (!offsets_.empty()) {
        job.row_slack = row_slack_.data() + panel * kPanelRows;
        job.query_slack = query_slack_.data();
      }
      job.candidates = candidates_of.data();
      job.candidate_count = counts.data();
      checks.prepare(job);
      table_.kernels().filter->filter(job);
      checks.learn(job);
      for (std::size_t i = 0; i < encoded_.count; ++i) {
        for (std::size_t h = 0; h < counts[i]; ++h) matches.push_back(range_match(i, candidates_of[i][h]));
        counts[i] = 0;
      }
    }
    // For a zero query all scores are 0, and the filter finds nothing.
    for (std::size_t i = 0; i < encoded_.count; ++i)
      if (const std::uint32_t query = encoded_.order[i]; std::isnan(encoded_.slack[i]))
        for (std::size_t row = begin * kPanelRows; row < std::min(table_.rows(), end * kPanelRows); ++row)
          if (const std::uint32_t id = table_.id_of(static_cast<std::uint32_t>(row));
              0 >= thresholds_[query] + offset(id))
            matches.push_back({query, {0, id}});
  }

 private:
  double offset(std::uint32_t id) const { return offsets_.empty() ? 0.0 : double{offsets_[id]}; }

  /// `unit`: a power of two near the units of all queries, so that nothing overflows.
  void take_offsets_off(double unit) {
    double slack = 0;  // E
    for (std::size_t i = 0; i < encoded_.count; ++i)
      if (!std::isnan(encoded_.slack[i])) slack = std::max(slack, double{encoded_.slack[i]} * encoded_.unit[i]);
    for (std::size_t i = 0; i < encoded_.padded_count(); ++i)
      query_slack_.push_back(std::isnan(encoded_.slack[i]) ? encoded_.slack[i]
                                                           : static_cast<float>(unit / encoded_.unit[i]));
    row_slack_.assign(table_.panels() * kPanelRows, std::numeric_limits<float>::quiet_NaN());
    for (std::uint32_t row = 0; row < table_.rows(); ++row) {
      const double own = double{table_.slack_of(row)} * slack, off = offset(table_.id_of(row));
      row_slack_[row] =
          float_above((own * (1 + 8 * kFloatRoundoff) - off + 8 * kFloatRoundoff * std::fabs(off)) / unit);
    }
  }

  RangeMatch range_match(std::size_t position, const RowCandidate& candidate) const {
    const std::uint32_t id = table_.id_of(candidate.row);
    // A score may be above its bound where it underflows (Int8Queries).
    const double left = double{candidate.upper_bound} * encoded_.unit[position], off = offset(id);
    const double bound = left + off + 0x1.0p-50 * (std::fabs(left) + std::fabs(off)) + 0x1.0p-149;
    return {encoded_.order[position], {float_above(bound), id}};
  }

  const Int8Table& table_;
  Int8Queries encoded_;
  std::span<const double> thresholds_;
  std::span<const float> offsets_;
  std::vector<float> limits_, row_slack_, query_slack_;
};

std::optional<RangeSearchResult> Int8Search::range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                          std::span<const float> offsets, std::size_t most) const {
  if (queries.cols() != table_.table().cols()) throw UsageError("queries and table differ in dimension");
  if (queries.rows() == 0) return RangeSearchResult{{0}, {}};
  // Queries of very different sizes have no unit in common.
  if (!offsets.empty() && !table_.unit_fits(queries))
    return BlasSearch(table()).range_search(queries, thresholds, offsets, most);
  const RangeFilter filter(table_, queries, thresholds, offsets);
  std::optional<RangeSearchResult> result = collect_range_matches(
      queries.rows(), table_.panels(), kRangePanels, most,
      [&](std::size_t begin, std::size_t end, std::vector<RangeMatch>& matches) { filter.run(begin, end, matches); });
  if (result && table_.reordered())
    ThreadPool::current().for_chunks(queries.rows(), 16, [&](std::size_t begin, std::size_t end, int) {
      std::vector<ScoredRow> memory;
      for (std::size_t i = begin; i < end; ++i)
        sort_by_id(std::span(result->rows).subspan(result->starts[i], result->starts[i + 1] - result->starts[i]),
                   memory);
    });
  return result;
}

std::unique_ptr<MovingSearch> Int8Search::make_moving(std::size_t parts) const {
  return std::make_unique<WarmStartSearch>(*this, parts);
}

}  // namespace wordbridge
