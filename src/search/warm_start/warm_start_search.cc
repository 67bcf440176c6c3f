#include "search/warm_start/warm_start_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/gather.h"
#include "parallel/thread_pool.h"
#include "search/int8/int8_scan.h"
#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kChunk = 32;       // queries that a thread takes at a time
constexpr std::size_t kLeastBlock = 64;  // queries of a scan: with fewer, reading the table takes too long
constexpr std::size_t kMostBlock = 1536;
/// The margin of a list, in steps like the last one; and how many steps the widest list must allow to be worthwhile.
constexpr double kWantedSteps = 4, kWorthwhileSteps = 0.75;
/// The margin of the first list, when there is no step yet, as a share of the largest possible score.
constexpr double kFirstMargin = 0.05;

/// Four sums at a time, so that they are fast without a license to reorder them.
template <class Term>
double sum_of(std::size_t count, Term term) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t l = 0; l < 4; ++l) sums[l] += term(i + l);
  for (; i < count; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double dot(const float* a, const float* b, std::size_t d) {
  return sum_of(d, [=](std::size_t i) { return double{a[i]} * double{b[i]}; });
}

/// |q - alpha p|, not rounded up.
double distance(const float* q, double alpha, const float* p, std::size_t d) {
  return std::sqrt(sum_of(d, [=](std::size_t i) {
    const double difference = double{q[i]} - alpha * double{p[i]};
    return difference * difference;
  }));
}

/// An upper bound for the scores of rows for a query, by their scores for another one.
///
/// A score is <q, y> rounded: off by at most e(|q|) = (u (1 + 2^-20) + d 2^-52) |q| Y + 2^-149, u = 2^-24. Hence
///     score(q, y) <= alpha (score(q0, y) + e(|q0|)) + |q - alpha q0| Y + e(|q|).
/// The components of q - alpha q0 are computed with an error of at most 2^-52 (|q_i| + alpha |q0_i|) and summed with
/// one of d 2^-53, the rest adds a few roundings of double: less than 2^-40 of all terms' sizes together.
class MovedBound {
 public:
  MovedBound(const float* query, const float* reference, std::size_t d, double largest, double least) {
    const double square = dot(reference, reference, d), product = dot(query, reference, d);
    const double norm = std::sqrt(square), query_square = dot(query, query, d);
    // Scores that may overflow are infinite, and then tell nothing; beyond 2^20 dimensions 2^-40 is too little.
    if (!(square > 0) || !(std::sqrt(query_square) * largest < 0x1.0p126) || !(norm * largest < 0x1.0p126) ||
        d > std::size_t{1} << 20)
      return;
    alpha_ = product / square;
    const double t = least / norm, room = largest * largest - t * t;
    const double across = std::sqrt(std::max(0.0, query_square - alpha_ * product));
    if (room > 0) alpha_ -= across * t / (norm * std::sqrt(room));
    if (!(alpha_ > 0)) return;
    const double shift = distance(query, alpha_, reference, d) * largest;
    const double reference_norms = alpha_ * norm * largest, query_norms = std::sqrt(query_square) * largest;
    const double share = kFloatRoundoff * (1 + 0x1.0p-20) + static_cast<double>(d) * 0x1.0p-52;
    constant_ =
        shift + (share + 0x1.0p-40) * (reference_norms + query_norms) + 0x1.0p-40 * shift + (1 + alpha_) * 0x1.0p-148;
    valid_ = std::isfinite(constant_);
  }

  bool valid() const { return valid_; }
  /// No row whose score was at most `score` has a larger one now.
  double of(double score) const {
    const double moved = alpha_ * score;
    return moved + std::fabs(moved) * 0x1.0p-50 + constant_;
  }

 private:
  double alpha_ = 0, constant_ = 0;
  bool valid_ = false;
};

/// Of a query, in exact scores.
double scan_cost(const Int8Table& codes) {
  return static_cast<double>(codes.rows()) / codes.kernels().filter->rows_in_a_score;
}

/// Makes the list, best first, the answer to query i.
void keep(std::span<const ScoredRow> best, std::size_t i, std::vector<std::uint32_t>& ids, Neighbors& result) {
  ids.resize(best.size());
  for (std::size_t j = 0; j < best.size(); ++j) {
    ids[j] = result.ids[i * result.found + j] = best[j].id;
    result.scores[i * result.found + j] = best[j].score;
  }
}

}  // namespace

WarmStartSearch::WarmStartSearch(const Int8Search& search, Caching caching)
    : search_(search), caching_(caching), policy_(scan_cost(search.codes())) {
  const ConstMatrixView rows = search.table();
  constexpr std::size_t kRows = 4096;
  std::vector<double> largest((rows.rows() + kRows - 1) / kRows);
  ThreadPool::current().for_chunks(rows.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    double& part = largest[begin / kRows];
    for (std::size_t i = begin; i < end; ++i) part = std::max(part, norm_above(rows.row(i).data(), rows.cols()));
  });
  for (const double part : largest) largest_norm_ = std::max(largest_norm_, part);
}

Neighbors WarmStartSearch::search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) {
  if (queries.cols() != table().cols()) throw UsageError("queries and table differ in dimension");
  if (queries.rows() != slots.size()) throw UsageError("queries and slots differ in number");
  assert(std::adjacent_find(slots.begin(), slots.end(), std::greater_equal<>()) == slots.end());
  Neighbors result;
  result.queries = queries.rows();
  result.found = std::min(k, search_.codes().rows());
  certified_ = 0;
  if (result.queries == 0 || result.found == 0) return result;
  result.ids.resize(result.queries * result.found);
  result.scores.resize(result.queries * result.found);
  if (slots_.size() <= slots.back()) slots_.resize(slots.back() + 1);

  std::vector<Lookup> lookups(queries.rows());
  ThreadPool::current().for_chunks(queries.rows(), kChunk, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      Slot& slot = slots_[slots[i]];
      const auto query = queries.row(i);
      lookups[i] = look_up(slot, query.data(), result.found);
      slot.last.assign(query.begin(), query.end());
      if (lookups[i].certified) keep(lookups[i].best, i, slot.best, result);
    }
  });
  learn_from(lookups);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < lookups.size(); ++i)
    if (!lookups[i].certified) open.push_back(i);
  certified_ = queries.rows() - open.size();
  const std::size_t tasks = 4 * static_cast<std::size_t>(ThreadPool::current().size());
  const std::size_t block = std::min(std::clamp((open.size() + tasks - 1) / tasks, kLeastBlock, kMostBlock),
                                     Int8Scan::most_queries(result.found));
  ThreadPool::current().for_chunks(open.size(), block, [&](std::size_t begin, std::size_t end, int) {
    scan(queries, slots, std::span(open).subspan(begin, end - begin), lookups, result);
  });
  return result;
}

void WarmStartSearch::learn_from(std::span<const Lookup> lookups) {
  std::size_t tried = 0, certified = 0, scores = 0;
  for (const Lookup& lookup : lookups) {
    tried += lookup.tried;
    certified += lookup.certified;
    if (lookup.certified) scores += lookup.scores;
  }
  policy_.learn(tried, certified, scores);
}

/// Tries the list of a slot, and decides how long a new one should be.
WarmStartSearch::Lookup WarmStartSearch::look_up(const Slot& slot, const float* query, std::size_t found) const {
  const std::size_t d = table().cols();
  Lookup result;
  if (!slot.reference.empty()) result = score_list(slot, query, found);
  if (result.certified) return result;
  if (slot.last.empty()) {
    result.margin = kFirstMargin * std::sqrt(dot(query, query, d)) * largest_norm_;
    return result;
  }
  if (slot.best.size() >= found) {  // these are found different rows
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < found; ++i)
      least = std::min(least, exact_score(query, table().row(slot.best[i]).data(), d));
    result.lower_bound = std::max(result.lower_bound, least);
  }
  const double step = distance(query, 1, slot.last.data(), d) * largest_norm_;
  if (kWorthwhileSteps * step < slot.widest) result.margin = std::min(kWantedSteps * step, slot.widest);
  return result;
}

WarmStartSearch::Lookup WarmStartSearch::score_list(const Slot& slot, const float* query, std::size_t found) const {
  Lookup result;
  result.tried = true;
  const MovedBound bound(query, slot.reference.data(), table().cols(), largest_norm_, slot.outside);
  if (!bound.valid() || slot.list.size() < found) return result;
  const double outside = std::isinf(slot.outside) ? slot.outside : bound.of(slot.outside);
  TopK<float> best(found);
  // Those that were best show where the k-th score lies now. It hardly rises any more, so they tell whether the others
  // are worth their scores: not where these take longer than a scan, or cannot help.
  const std::size_t first = std::min(slot.list.size(), 2 * found);
  score_rows(std::span(slot.list).first(first), query, best);
  result.scores = first;
  result.lower_bound = best.threshold();
  if (double{best.threshold()} <= outside) return result;
  std::vector<ScoredRow> others;
  for (const ScoredRow& row : std::span(slot.list).subspan(first))
    if (bound.of(double{row.score}) >= double{best.threshold()}) others.push_back(row);
  result.scores += others.size();
  if (static_cast<double>(others.size()) > scan_cost(search_.codes())) return result;
  score_rows(others, query, best);
  result.certified = true;
  result.best = best.take_sorted();
  return result;
}

void WarmStartSearch::score_rows(std::span<const ScoredRow> rows, const float* query, TopK<float>& best) const {
  const std::size_t d = table().cols();
  const auto row_at = [&](std::size_t i) { return table().row(rows[i].id).data(); };
  visit_prefetched(rows.size(), d, row_at, [&](std::size_t i) {
    best.offer(exact_score(query, row_at(i), d), rows[i].id);
    return true;
  });
}

/// Scans the table for some queries, and makes their lists.
void WarmStartSearch::scan(ConstMatrixView queries, std::span<const std::uint32_t> slots,
                           std::span<const std::size_t> open, std::span<const Lookup> lookups, Neighbors& result) {
  const Matrix gathered = gather_rows(queries, open);
  Int8Scan scan(search_.codes(), gathered, result.found);
  std::vector<bool> wanted(open.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Lookup& lookup = lookups[open[i]];
    wanted[i] = lookup.margin > 0 && (caching_ == Caching::always || policy_.wants(slots[open[i]]));
    if (wanted[i]) scan.keep_list(i, lookup.margin);
    scan.raise_lower_bound(i, lookup.lower_bound);
  }
  scan.filter(0, search_.codes().panels());
  for (std::size_t i = 0; i < open.size(); ++i) {
    Slot& slot = slots_[slots[open[i]]];
    const std::vector<ScoredRow> best = scan.take_top_k(i).take_sorted();
    keep(best, open[i], slot.best, result);
    slot.reference.clear();
    slot.list.clear();
    if (!wanted[i]) continue;
    Int8Scan::CandidateList list = scan.take_list(i);
    const bool is_list = list.outside < std::numeric_limits<double>::infinity();
    if (is_list) {
      slot.reference = slot.last;
      slot.list = std::move(list.rows);
      slot.outside = list.outside;
    }
    if (list.cut || !is_list) slot.widest = std::max(0.0, is_list ? double{best.back().score} - list.outside : 0.0);
  }
}

}  // namespace wordbridge
