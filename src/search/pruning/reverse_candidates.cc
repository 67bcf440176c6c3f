#include "search/pruning/reverse_candidates.h"

#include <algorithm>
#include <cmath>

#include "parallel/thread_pool.h"
#include "search/rounding.h"

namespace wordbridge {

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
