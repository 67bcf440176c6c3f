#include "search/pruning/candidate_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel/thread_pool.h"
#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"

namespace wordbridge {

CandidateLists::CandidateLists(ConstMatrixView rows, const ScoreKernel& kernel, std::size_t lists, std::size_t k,
                               std::size_t room, double unit)
    : rows_(rows), kernel_(kernel), k_(k), room_(room), unit_(unit), underflow_(0x1.0p-147 / unit) {
  const double largest = kLargestScore * (1 - 0x1.0p-20);
  most_ = std::min(largest, largest / unit);
  states_.assign(lists, {-std::numeric_limits<float>::infinity(), 0, 0});
  heaps_ = std::make_unique_for_overwrite<float[]>(lists * k);
  candidates_ = std::make_unique_for_overwrite<RowCandidate[]>(lists * room);
  best_.assign(lists, TopK<float>(k));
}

/// A float that every row must reach if k rows reach `lower`.
float CandidateLists::rounded_lower_bound(double lower) const {
  return float_just_below(std::min(lower, most_) - underflow_);
}

void CandidateLists::raise_lower_bound(std::size_t list, float score) {
  float& lower_bound = states_[list].lower_bound;
  lower_bound = std::max(lower_bound, rounded_lower_bound(double{score} / unit_));
}

void CandidateLists::add(std::size_t list, const float* query, std::uint32_t row, double lower, double upper) {
  State& state = states_[list];
  if (state.candidates == room_)
    if (pruned_candidates(list).size() > room_ / 2) refine_list(list, query);
  candidates_[list * room_ + state.candidates++] = {float_just_above(upper), row};
  float* heap = heaps_.get() + list * k_;
  if (push_top_k(rounded_lower_bound(lower), k_, heap, state.heap_size))
    state.lower_bound = std::max(state.lower_bound, heap[0]);
}

void CandidateLists::prefetch_list(std::size_t list) const {
  __builtin_prefetch(heaps_.get() + list * k_);
  __builtin_prefetch(candidates_.get() + list * room_ + states_[list].candidates);
}

std::span<RowCandidate> CandidateLists::pruned_candidates(std::size_t list) {
  State& state = states_[list];
  const std::span<RowCandidate> all(candidates_.get() + list * room_, state.candidates);
  state.candidates = static_cast<std::uint32_t>(prune(all, state.lower_bound));
  return all.first(state.candidates);
}

/// Scores the candidates of a list that may still be among the best, and forgets them.
void CandidateLists::refine_list(std::size_t list, const float* query) {
  State& state = states_[list];
  TopK<float>& best = best_[list];
  const std::size_t d = rows_.cols();
  const auto row_of = [&](const RowCandidate& candidate) { return rows_.row(candidate.row).data(); };
  refine(
      pruned_candidates(list), d, row_of, [&] { return state.lower_bound; },
      [&](const RowCandidate& candidate) {
        best.offer(kernel_.exact_score(query, row_of(candidate), d), candidate.row);
        raise_lower_bound(list, best.threshold());
      });
  state.candidates = 0;
}

TopK<float> CandidateLists::take_top_k(std::size_t list, const float* query) {
  refine_list(list, query);
  return std::move(best_[list]);
}

namespace {

constexpr std::size_t kGroupRows = ReverseCandidates::kPanelsTogether * kPanelRows;

/// Many a candidate costs memory, few cost scores: what fits into 40 MB a thread.
std::size_t room_of_list(std::size_t rows, std::size_t k) {
  const std::size_t bytes = 40'000'000 * static_cast<std::size_t>(ThreadPool::current().size());
  std::size_t room = 64;
  while (room > 16 && rows * CandidateLists::bytes_of_list(k, room) > bytes) --room;
  return room;
}

}  // namespace

ReverseCandidates::ReverseCandidates(const Int8Table& table, ConstMatrixView queries, std::size_t k,
                                     std::span<const float> lower_bounds)
    : table_(table),
      lists_(queries, *table.kernels().score, table.rows(), k, room_of_list(table.rows(), k), table.unit_for(queries)),
      locks_((table.panels() + kPanelsTogether - 1) / kPanelsTogether) {
  for (std::uint32_t row = 0; row < table.rows(); ++row) lists_.raise_lower_bound(row, lower_bounds[table.id_of(row)]);
}

void ReverseCandidates::copy_thresholds(std::size_t group, std::vector<float>& thresholds) const {
  const std::lock_guard lock(locks_[group]);
  const std::size_t begin = group * kGroupRows, end = std::min(begin + kGroupRows, table_.rows());
  // Those that only fill a panel have no candidates anyway.
  thresholds.assign(kGroupRows, 0.0f);
  for (std::size_t row = begin; row < end; ++row) {
    // The kernel multiplies by a rounded factor, with a rounding: less than 2^-20 off, and if that underflows, less
    // than 2^-100.
    const double lower_bound = double{lists_.lower_bound(row)};
    thresholds[row - begin] = float_just_below(lower_bound - std::fabs(lower_bound) * 0x1.0p-20 - 0x1.0p-100);
  }
}

void ReverseCandidates::add(std::size_t group, std::span<const PairCandidate> candidates, const Int8Queries& encoded,
                            std::span<const double> query_unit, std::size_t first_query) {
  constexpr std::size_t kAhead = 8;
  const std::lock_guard lock(locks_[group]);
  for (std::size_t h = 0; h < candidates.size(); ++h) {
    if (h + kAhead < candidates.size()) lists_.prefetch_list(candidates[h + kAhead].row);
    const PairCandidate& candidate = candidates[h];
    const double unit = query_unit[candidate.query], bound = double{candidate.upper_bound}, upper = bound * unit;
    // It has risen since. What these products in double lose is less than what CandidateLists allows for.
    if (upper < double{lists_.lower_bound(candidate.row)}) continue;
    const double slack =
        2 * (1 + 0x1.0p-40) * double{encoded.slack[candidate.query]} * double{table_.slack_of(candidate.row)};
    lists_.add(candidate.row, values_of(candidate.row),
               static_cast<std::uint32_t>(first_query + encoded.order[candidate.query]), (bound - slack) * unit, upper);
  }
}

}  // namespace wordbridge
