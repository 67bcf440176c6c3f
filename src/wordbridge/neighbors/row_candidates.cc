#include "wordbridge/neighbors/row_candidates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "wordbridge/neighbors/prefetch.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kGroupRows = RowCandidates::kPanelsTogether * kPanelRows;

}  // namespace

RowCandidates::RowCandidates(const Int8Table& table, ConstMatrixView queries, std::size_t k,
                             std::span<const float> least)
    : table_(table), queries_(queries), k_(k), unit_(table.unit_for(queries)) {
  rows_.resize(table.rows());
  // Many a candidate costs memory, few cost scores: what fits into 40 MB a thread.
  const std::size_t bytes = 40'000'000 * static_cast<std::size_t>(ThreadPool::shared().size());
  const std::size_t fixed = sizeof(Row) + k * (sizeof(float) + sizeof(ScoredRow));
  const std::size_t each = bytes / std::max<std::size_t>(1, table.rows());
  most_candidates_ = std::clamp<std::size_t>(each > fixed ? (each - fixed) / sizeof(Candidate) : 0, 16, 64);
  thresholds_.assign(table.panels() * kPanelRows, -std::numeric_limits<float>::infinity());
  locks_ = std::vector<std::mutex>((table.panels() + kPanelsTogether - 1) / kPanelsTogether);
  for (Row& row : rows_) row.best = BestScores(k);
  for (std::uint32_t row = 0; row < table.rows(); ++row) raise(row, double{least[table.id_of(row)]});
}

/// Says that k queries score at least this much.
void RowCandidates::raise(std::uint32_t row, double score) {
  // As in Int8Queries: room for scores that overflow or underflow. The kernel multiplies the threshold by a rounded
  // factor, with a rounding: less than 2^-20 off, and if that underflows, less than 2^-100.
  if (!(score >= -kLargestScore)) return;
  const double threshold = (std::min(score, kLargestScore * (1 - 0x1.0p-20)) - 0x1.0p-147) / unit_;
  const float lowered = float_below(threshold - std::fabs(threshold) * 0x1.0p-20 - 0x1.0p-100);
  thresholds_[row] = std::max(thresholds_[row], lowered);
}

void RowCandidates::copy_thresholds(std::size_t group, std::vector<float>& thresholds) const {
  const std::lock_guard lock(locks_[group]);
  const std::size_t begin = group * kGroupRows, end = std::min(begin + kGroupRows, thresholds_.size());
  thresholds.assign(thresholds_.data() + begin, thresholds_.data() + end);
}

void RowCandidates::add(std::size_t group, std::span<const ScreenRowHit> hits, const Int8Queries& encoded,
                        std::size_t first_query) {
  const std::lock_guard lock(locks_[group]);
  for (const ScreenRowHit& hit : hits) {
    const double unit = encoded.unit[hit.query] / unit_, above = double{hit.bound} * unit * (1 + 0x1.0p-50);
    const double slack = 2 * double{encoded.slack[hit.query]} * double{table_.slack_of(hit.row)};
    const double below = (double{hit.bound} - slack * (1 + 0x1.0p-40)) * unit;
    Row& row = rows_[hit.row];
    const Candidate candidate{float_above(above + std::fabs(above) * 0x1.0p-50),
                              static_cast<std::uint32_t>(first_query + encoded.order[hit.query])};
    if (candidate.bound < thresholds_[hit.row]) continue;  // it has risen since
    if (row.candidates.size() >= most_candidates_) {
      drop_hopeless(hit.row);
      if (row.candidates.size() > most_candidates_ / 2) score(hit.row);
    }
    row.candidates.push_back(candidate);
    const float least = float_below(below - std::fabs(below) * 0x1.0p-50);
    if (row.least.size() < k_) {
      row.least.push_back(least);
      std::push_heap(row.least.begin(), row.least.end(), std::greater<>());
    } else if (least > row.least.front()) {
      std::pop_heap(row.least.begin(), row.least.end(), std::greater<>());
      row.least.back() = least;
      std::push_heap(row.least.begin(), row.least.end(), std::greater<>());
    } else {
      continue;
    }
    if (row.least.size() == k_) raise(hit.row, double{row.least.front()} * unit_);
  }
}

void RowCandidates::drop_hopeless(std::uint32_t row) {
  std::erase_if(rows_[row].candidates, [&](const Candidate& c) { return c.bound < thresholds_[row]; });
}

/// Scores the candidates of a row that may still be among the best, the most promising first, and forgets them.
void RowCandidates::score(std::uint32_t row) {
  drop_hopeless(row);
  std::vector<Candidate>& candidates = rows_[row].candidates;
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.bound > b.bound; });
  const float* values = table_.table().row(table_.id_of(row)).data();
  BestScores& best = rows_[row].best;
  const std::size_t d = queries_.cols();
  constexpr std::size_t kAhead = 6;
  for (std::size_t c = 0; c < std::min(candidates.size(), kAhead); ++c) prefetch(query_of(candidates[c]), d);
  for (std::size_t c = 0; c < candidates.size() && candidates[c].bound >= thresholds_[row]; ++c) {
    if (c + kAhead < candidates.size()) prefetch(query_of(candidates[c + kAhead]), d);
    best.offer({table_.kernels().score->exact_score(query_of(candidates[c]), values, d), candidates[c].query});
    raise(row, double{best.threshold()});
  }
  candidates.clear();
}

BestScores RowCandidates::take_best(std::uint32_t row) {
  score(row);
  rows_[row].candidates = {};
  return std::move(rows_[row].best);
}

}  // namespace wordbridge
