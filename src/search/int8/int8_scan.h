#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/int8/int8_table.h"
#include "search/kernels/kernels.h"
#include "search/pruning/candidate_lists.h"
#include "search/top_k.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Chooses the checks for early termination (FilterJob) that are worth their time, by what they did in the jobs before:
/// queries that have little in common with the table, or no threshold yet, are not helped by early ones.
class EarlyTerminationPolicy {
 public:
  explicit EarlyTerminationPolicy(std::size_t checks) : terminated_(checks) {}

  /// To be called before each job.
  void prepare(FilterJob& job) {
    std::fill(terminated_.begin(), terminated_.end(), 0);
    job.terminated = terminated_.data();
    job.first_check = first_;
  }
  /// To be called after it.
  void learn(const FilterJob& job) {
    if (++jobs_ % kJobsOfADecision == 0) {
      first_ = 0;
    } else if (first_ < terminated_.size() &&
               kLeastShare * terminated_[first_] < job.query_count * job.panels * kPanelRows) {
      ++first_;
    }
  }

 private:
  /// A check takes an eighth of the time of the span that it saves.
  static constexpr std::uint64_t kLeastShare = 8;
  static constexpr std::size_t kJobsOfADecision = 16;

  std::vector<std::uint64_t> terminated_;
  std::size_t first_ = 0, jobs_ = 0;
};

/// Filter and refine for a block of queries among some panels of a table: the int8 filter collects candidates, rows
/// that may be among the k best, and their exact scores decide.
///
/// No score is needed to prune while the filter runs: the k-th largest lower bound of the candidates is a lower bound
/// of the k-th best score, and rows with smaller upper bounds are out. Now and then, and at the end, the few candidates
/// that are left are refined.
class Int8Scan {
 public:
  /// `parts`: of how many tables this is one. Each then keeps its part of what is kept of candidates. `panels`: how
  /// many are filtered between two looks at the candidates, at most.
  Int8Scan(const Int8Table& table, ConstMatrixView queries, std::size_t k, std::size_t parts = 1,
           std::size_t panels = kMostPanels);

  /// Panels between two looks at the thresholds, which rise fast at first and hardly later: 1, 2, 4, ... up to this.
  static constexpr std::size_t kMostPanels = 16;

  /// Queries a scan can have for this k without taking more than about 20 MB.
  static std::size_t most_queries(std::size_t k);

  /// Says that at least k rows score at least this much.
  void raise_lower_bound(std::size_t query, float score);
  /// Asks for upper bounds of the scores in every block of rows; before filter(), which then runs over all panels
  /// without early termination.
  void keep_block_bounds();
  /// Runs the filter over panels [begin, end); each panel once.
  void filter(std::size_t begin, std::size_t end);
  /// Over the panels before `end` (and a few more), and for their rows as well. The queries are those of `rows` from
  /// `first_query` on.
  void filter_both_sides(ReverseCandidates& rows, std::size_t first_query, std::size_t end);
  /// The best rows of a query, among all panels seen.
  TopK<float> take_top_k(std::size_t query);

  /// Runs the filter over one block of rows for some queries, numbered as they came, each block at most once for a
  /// query; `bounds` become upper bounds of their scores in it.
  void filter_block(std::size_t block, std::span<const std::uint32_t> queries, std::span<float> bounds);
  /// A row with a smaller score is not among the k best.
  double lower_bound(std::size_t query) const;
  /// Refines the candidates so far, which raises the lower bound.
  void refine_now(std::size_t query) { refine_candidates(position_of_[query]); }
  /// Upper bounds of the scores of a query, block after block: what keep_block_bounds() asked for.
  void copy_block_bounds(std::size_t query, std::span<float> bounds) const;
  /// Whether bounds of blocks tell anything of a query; not of one that is zero, or has scores far from 1.
  bool has_bounds(std::size_t query) const;

 private:
  void run(FilterJob& job);
  void answer_zero_queries(std::size_t begin, std::size_t end);
  void update_lower_bounds();
  void update_lower_bound(std::size_t position);
  void refine_at_times(std::size_t before, std::size_t step);
  void raise(std::size_t position, float lower_bound);
  void prune_candidates(std::size_t position);
  void refine_candidates(std::size_t position);

  const Int8Table& table_;
  ConstMatrixView queries_;
  std::size_t k_, most_candidates_;
  Int8Queries encoded_;
  EarlyTerminationPolicy early_termination_;
  std::vector<std::uint32_t> position_of_;  // a query; all below is by position
  std::vector<float> lower_bounds_;         // of the k-th best scores; infinity where a block is filled up
  std::vector<float> units_;                // of bounds, in scores
  Matrix block_bounds_;                     // one row a query; empty: not asked for
  std::unique_ptr<RowCandidate[]> candidates_;
  std::vector<RowCandidate*> candidates_of_;
  std::vector<std::uint32_t> candidate_counts_;
  std::vector<std::uint32_t> counted_;  // candidates whose lower bounds are in the heaps
  std::vector<double> heaps_;           // of each query the k largest lower bounds (push_top_k)
  std::vector<std::uint32_t> heap_sizes_;
  std::vector<TopK<float>> best_;  // of the candidates that are scored
  /// Queries of one job that are not all (filter_block).
  struct Gathered {
    std::vector<const std::uint8_t*> rows;
    std::vector<float> lead, slack, thresholds, bounds, units;
    std::vector<RowCandidate*> candidates_of;
    std::vector<std::uint32_t> candidate_counts, positions;
  };
  void gather(std::span<const std::uint32_t> queries);
  Gathered gathered_;
};

}  // namespace wordbridge
