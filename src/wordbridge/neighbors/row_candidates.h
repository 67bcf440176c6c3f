#pragma once
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "wordbridge/neighbors/best_scores.h"
#include "wordbridge/neighbors/int8_table.h"

namespace wordbridge {

/// The other side of a two-sided scan: for every row of a table, the queries that may be among its k best. Shared by
/// all threads; each kPanelsTogether panels have a lock.
class RowCandidates {
 public:
  /// `queries` is the whole source table; `least` holds for each row of the target table a score that k queries reach
  /// (minus infinity where unknown).
  RowCandidates(const Int8Table& table, ConstMatrixView queries, std::size_t k, std::span<const float> least);

  static constexpr std::size_t kPanelsTogether = 4;

  /// What a score is divided by so that it becomes a row threshold of a job.
  double unit() const { return unit_; }
  /// The row thresholds of a group of panels at this moment.
  void copy_thresholds(std::size_t group, std::vector<float>& thresholds) const;
  /// Takes the hits of a group of panels. Queries are numbered from `first_query` on.
  void add(std::size_t group, std::span<const ScreenRowHit> hits, const Int8Queries& encoded, std::size_t first_query);
  /// The best queries of a row; call it once, when all hits are in.
  BestScores take_best(std::uint32_t row);

 private:
  struct Candidate {
    float bound;  // of the score, in units, from above
    std::uint32_t query;
  };
  struct Row {
    std::vector<Candidate> candidates;
    std::vector<float> least;  // a heap of the k largest bounds from below, the smallest first
    BestScores best;           // of those that had to be scored early
  };
  void raise(std::uint32_t row, double score);
  void drop_hopeless(std::uint32_t row);
  void score(std::uint32_t row);
  const float* query_of(const Candidate& candidate) const { return queries_.row(candidate.query).data(); }

  const Int8Table& table_;
  ConstMatrixView queries_;
  std::size_t k_, most_candidates_;
  double unit_;
  std::vector<float> thresholds_;
  std::vector<Row> rows_;
  mutable std::vector<std::mutex> locks_;
};

}  // namespace wordbridge
