#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "wordbridge/linalg/matrix.h"
#include "wordbridge/neighbors/kernels.h"
#include "wordbridge/neighbors/top_k.h"

namespace wordbridge {

/// Many lists, each of the rows that may be among the k best of one query, known by bounds of their scores. No exact
/// score is needed to tell which are not: those whose bounds from above are less than what k rows reach by their bounds
/// from below. All lists have the same room, next to each other in memory.
///
/// Bounds are in a unit, a power of two, in which they are floats. Scores that overflowed or underflowed have room: no
/// row is dropped that might be as large as a float can be, or within 2^-148 of those needed.
class CandidateLists {
 public:
  CandidateLists(ConstMatrixView rows, const ScoreKernel& kernel, std::size_t lists, std::size_t k, std::size_t room,
                 double unit = 1);

  static constexpr std::size_t bytes_of_list(std::size_t k, std::size_t room) {
    return sizeof(State) + k * sizeof(float) + room * sizeof(ScreenHit) + sizeof(TopK<float>) + k * sizeof(ScoredRow);
  }

  double unit() const { return unit_; }
  /// Rows with a smaller bound are not among the k best; in units.
  float needed(std::size_t list) const { return states_[list].needed; }
  /// Says that k rows score at least this much.
  void raise(std::size_t list, float score);
  /// A row, and bounds of its score, in units; each row once. Those that are not needed are better not added. The
  /// bounds may be off by 2^-25 of themselves: rounded to float, each is moved by 2^-23, of which rounding takes 2^-24
  /// at most.
  void add(std::size_t list, const float* query, std::uint32_t row, double below, double above);
  /// Asks for the memory that add() will need.
  void prefetch_list(std::size_t list) const;
  /// The best rows of a list, which is then of no use any more.
  TopK<float> take_best(std::size_t list, const float* query);

 private:
  struct State {
    float needed;
    std::uint32_t kept, candidates;
  };
  float reached(double below) const;
  void score(std::size_t list, const float* query);
  std::span<ScreenHit> pruned_candidates(std::size_t list);

  ConstMatrixView rows_;
  const ScoreKernel& kernel_;
  std::size_t k_, room_;
  double unit_, underflow_, most_;
  std::vector<State> states_;
  std::unique_ptr<float[]> kept_;  // of each list the k largest bounds from below
  std::unique_ptr<ScreenHit[]> candidates_;
  std::vector<TopK<float>> best_;  // of the rows that are scored
};

}  // namespace wordbridge
