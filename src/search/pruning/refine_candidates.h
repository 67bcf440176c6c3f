#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "search/kernels/kernels.h"
#include "search/neighbor_search.h"

namespace wordbridge {

// Filter and refine: a filter bounds the score of every pair cheaply and leaves a list of candidates; what is left is
// refined by exact scores, best upper bound first, which end as soon as no bound reaches the k-th best score.

/// Asks for the memory of a vector before it is needed; null: of none.
inline void prefetch_row(const float* row, std::size_t dimension) {
  constexpr std::size_t kLine = 64 / sizeof(float);
  if (row == nullptr) return;
  for (std::size_t j = 0; j < dimension; j += kLine) __builtin_prefetch(row + j);
}

/// Calls visit(i) for i = 0, 1, ..., count - 1 until it returns false, and asks for the memory of the vectors
/// row_at(i), `dimension` floats each, some calls before: they lie anywhere in a table, and waiting for one takes
/// longer than its score. Null where a vector will not be needed.
template <typename RowAt, typename Visit>
inline __attribute__((always_inline)) void visit_prefetched(std::size_t count, std::size_t dimension, RowAt row_at,
                                                            Visit visit) {
  constexpr std::size_t kAhead = 6;
  for (std::size_t i = 0; i < std::min(count, kAhead); ++i) prefetch_row(row_at(i), dimension);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) prefetch_row(row_at(i + kAhead), dimension);
    if (!visit(i)) return;
  }
}

/// Moves the candidates whose upper bounds are not below `lower_bound`, of the k-th best score, to the front, and
/// returns how many they are. The others are lost.
inline std::size_t prune(std::span<RowCandidate> candidates, float lower_bound) {
  const auto end = std::remove_if(candidates.begin(), candidates.end(),
                                  [=](const RowCandidate& candidate) { return candidate.upper_bound < lower_bound; });
  return static_cast<std::size_t>(end - candidates.begin());
}

/// Sorts the candidates and calls score(candidate) for each, best upper bound first, until its bound is below
/// lower_bound(), which rises with every score. row_of(candidate) is its vector.
template <typename RowOf, typename LowerBound, typename Score>
void refine(std::span<RowCandidate> candidates, std::size_t dimension, RowOf row_of, LowerBound lower_bound,
            Score score) {
  std::sort(candidates.begin(), candidates.end(),
            [](const RowCandidate& a, const RowCandidate& b) { return a.upper_bound > b.upper_bound; });
  visit_prefetched(
      candidates.size(), dimension,
      [&](std::size_t i) { return candidates[i].upper_bound >= lower_bound() ? row_of(candidates[i]) : nullptr; },
      [&](std::size_t i) {
        if (candidates[i].upper_bound < lower_bound()) return false;
        score(candidates[i]);
        return true;
      });
}

/// Warm start: for each query a lower bound of its k-th best score among the rows, the k-th best of the exact scores of
/// rows that were its neighbors `before`, when queries or rows lay a little elsewhere. Any k rows give a lower bound;
/// old neighbors give one that hardly any other row reaches. Minus infinity where `before` tells too little, or a row
/// has become zero.
std::vector<float> rescored_lower_bounds(ConstMatrixView queries, ConstMatrixView rows, const Neighbors& before,
                                         std::size_t k);

}  // namespace wordbridge
