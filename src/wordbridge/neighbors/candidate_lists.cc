#include "wordbridge/neighbors/candidate_lists.h"

#include <cmath>
#include <limits>

#include "wordbridge/neighbors/refine_candidates.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/neighbors/top_k.h"

namespace wordbridge {

CandidateLists::CandidateLists(ConstMatrixView rows, const ScoreKernel& kernel, std::size_t lists, std::size_t k,
                               std::size_t room, double unit)
    : rows_(rows), kernel_(kernel), k_(k), room_(room), unit_(unit), underflow_(0x1.0p-147 / unit) {
  const double largest = kLargestScore * (1 - 0x1.0p-20);
  most_ = std::min(largest, largest / unit);
  states_.assign(lists, {-std::numeric_limits<float>::infinity(), 0, 0});
  kept_ = std::make_unique_for_overwrite<float[]>(lists * k);
  candidates_ = std::make_unique_for_overwrite<ScreenHit[]>(lists * room);
  best_.assign(lists, TopK<float>(k));
}

/// What rows must reach, if k reach `below`.
float CandidateLists::reached(double below) const { return float_just_below(std::min(below, most_) - underflow_); }

void CandidateLists::raise(std::size_t list, float score) {
  states_[list].needed = std::max(states_[list].needed, reached(double{score} / unit_));
}

void CandidateLists::add(std::size_t list, const float* query, std::uint32_t row, double below, double above) {
  State& state = states_[list];
  if (state.candidates == room_) {
    if (pruned_candidates(list).size() > room_ / 2) score(list, query);
  }
  candidates_[list * room_ + state.candidates++] = {float_just_above(above), row};
  float* kept = kept_.get() + list * k_;
  if (push_top_k(reached(below), k_, kept, state.kept)) state.needed = std::max(state.needed, kept[0]);
}

void CandidateLists::prefetch_list(std::size_t list) const {
  __builtin_prefetch(kept_.get() + list * k_);
  __builtin_prefetch(candidates_.get() + list * room_ + states_[list].candidates);
}

/// Those that may still be among the k best.
std::span<ScreenHit> CandidateLists::pruned_candidates(std::size_t list) {
  State& state = states_[list];
  const std::span<ScreenHit> all(candidates_.get() + list * room_, state.candidates);
  state.candidates = static_cast<std::uint32_t>(prune(all, state.needed));
  return all.first(state.candidates);
}

/// Scores the candidates of a list that may still be among the best, and forgets them.
void CandidateLists::score(std::size_t list, const float* query) {
  State& state = states_[list];
  TopK<float>& best = best_[list];
  const std::size_t d = rows_.cols();
  const auto row_of = [&](const ScreenHit& candidate) { return rows_.row(candidate.row).data(); };
  refine(
      pruned_candidates(list), d, row_of, [&] { return state.needed; },
      [&](const ScreenHit& candidate) {
        best.offer(kernel_.exact_score(query, row_of(candidate), d), candidate.row);
        raise(list, best.threshold());
      });
  state.candidates = 0;
}

TopK<float> CandidateLists::take_best(std::size_t list, const float* query) {
  score(list, query);
  return std::move(best_[list]);
}

}  // namespace wordbridge
