#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "search/int8/int8_table.h"
#include "search/kernels/kernels.h"
#include "search/top_k.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// The candidates of many queries: rows that may be among their k best, known by bounds of their scores. No exact score
/// is needed to prune: the k-th largest of the lower bounds is a lower bound of the k-th best score, and a row whose
/// upper bound is below it is out. All lists have the same room, next to each other in memory; a list that is full
/// after pruning is refined.
///
/// Bounds are in a unit, a power of two, in which they are floats. Scores that overflowed or underflowed have room: no
/// row is pruned that might be as large as a float can be, or within 2^-148 of the lower bound.
class CandidateLists {
 public:
  CandidateLists(ConstMatrixView rows, const ScoreKernel& kernel, std::size_t lists, std::size_t k, std::size_t room,
                 double unit = 1);

  static constexpr std::size_t bytes_of_list(std::size_t k, std::size_t room) {
    return sizeof(State) + k * sizeof(float) + room * sizeof(RowCandidate) + sizeof(TopK<float>) +
           k * sizeof(ScoredRow);
  }

  double unit() const { return unit_; }
  /// Of the k-th best score, in units: rows with a smaller upper bound are not among the k best.
  float lower_bound(std::size_t list) const { return states_[list].lower_bound; }
  /// Says that k rows score at least this much.
  void raise_lower_bound(std::size_t list, float score);
  /// A row, and bounds of its score, in units; each row once. Those that can be pruned are better not added. The bounds
  /// may be off by 2^-25 of themselves: rounded to float, each is moved by 2^-23, of which rounding takes 2^-24 at
  /// most.
  void add(std::size_t list, const float* query, std::uint32_t row, double lower, double upper);
  /// Asks for the memory that add() will need.
  void prefetch_list(std::size_t list) const;
  /// The best rows of a list, which is then of no use any more.
  TopK<float> take_top_k(std::size_t list, const float* query);

 private:
  struct State {
    float lower_bound;
    std::uint32_t heap_size, candidates;
  };
  float rounded_lower_bound(double lower) const;
  std::span<RowCandidate> pruned_candidates(std::size_t list);
  void refine_list(std::size_t list, const float* query);

  ConstMatrixView rows_;
  const ScoreKernel& kernel_;
  std::size_t k_, room_;
  double unit_, underflow_, most_;
  std::vector<State> states_;
  std::unique_ptr<float[]> heaps_;  // of each list the k largest lower bounds
  std::unique_ptr<RowCandidate[]> candidates_;
  std::vector<TopK<float>> best_;  // of the rows that are scored
};

/// The other side of a two-sided search: for every row of a table, the queries that may be among its k best. Shared by
/// all threads; each kPanelsTogether panels have a lock.
class ReverseCandidates {
 public:
  /// `queries` is the whole source table; `lower_bounds` are those of the k-th best scores of the rows of the
  /// target table, minus infinity where unknown.
  ReverseCandidates(const Int8Table& table, ConstMatrixView queries, std::size_t k,
                    std::span<const float> lower_bounds);

  static constexpr std::size_t kPanelsTogether = 4;

  /// The row thresholds of a group of panels at this moment, for bounds that are in units of unit().
  void copy_thresholds(std::size_t group, std::vector<float>& thresholds) const;
  double unit() const { return lists_.unit(); }
  /// Takes the candidates of a group of panels. Queries are numbered from `first_query` on; `query_unit` is the unit of
  /// each as encoded, in units of unit().
  void add(std::size_t group, std::span<const PairCandidate> candidates, const Int8Queries& encoded,
           std::span<const double> query_unit, std::size_t first_query);
  /// The best queries of a row; call it once, when all candidates are in.
  TopK<float> take_top_k(std::uint32_t row) { return lists_.take_top_k(row, values_of(row)); }

 private:
  const float* values_of(std::uint32_t row) const { return table_.table().row(table_.id_of(row)).data(); }

  const Int8Table& table_;
  CandidateLists lists_;
  mutable std::vector<std::mutex> locks_;
};

}  // namespace wordbridge
