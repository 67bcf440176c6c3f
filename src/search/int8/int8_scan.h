#pragma once
#include <limits>
#include <memory>
#include <vector>

#include "search/int8/int8_table.h"
#include "search/pruning/early_termination_policy.h"
#include "search/pruning/reverse_candidates.h"
#include "search/top_k.h"

namespace wordbridge {

/// Filter and refine for a block of queries among some panels of a table: the int8 filter collects candidates, rows
/// that may be among the k best, and their exact scores decide.
///
/// No score is needed to prune while the filter runs: the k-th largest lower bound of the candidates is a lower bound
/// of the k-th best score, and rows with smaller upper bounds are out. Now and then, and at the end, the few candidates
/// that are left are refined.
class Int8Scan {
 public:
  /// `parts`: of how many tables this is one. Each then keeps its part of what is kept of candidates.
  Int8Scan(const Int8Table& table, ConstMatrixView queries, std::size_t k, std::size_t parts = 1);

  /// Queries a scan can have for this k without taking more than about 20 MB.
  static std::size_t most_queries(std::size_t k);

  /// Says that at least k rows score at least this much.
  void raise_lower_bound(std::size_t query, float score);
  /// Asks for a candidate list to be cached: the rows that score up to `margin` less than the k-th best. Before
  /// anything else.
  void keep_list(std::size_t query, double margin);
  /// Runs the filter over panels [begin, end); each panel once.
  void filter(std::size_t begin, std::size_t end);
  /// Over the panels before `end` (and a few more), and for their rows as well. The queries are those of `rows` from
  /// `first_query` on.
  void filter_both_sides(ReverseCandidates& rows, std::size_t first_query, std::size_t end);
  /// The best rows of a query, among all panels seen.
  TopK<float> take_top_k(std::size_t query);

  /// Rows, and upper bounds of their scores: the k best first, the others in no order.
  struct CandidateList {
    std::vector<ScoredRow> rows;
    /// An upper bound of the scores of all other rows; minus infinity: there are none. Infinity: there is no list.
    double outside = std::numeric_limits<double>::infinity();
    bool cut = false;  // the margin became smaller than asked for, because the rows were too many
  };
  /// The list that was asked for; after take_top_k().
  CandidateList take_list(std::size_t query) const;

 private:
  void run(FilterJob& job);
  void answer_zero_queries(std::size_t begin, std::size_t end);
  void update_lower_bounds();
  void update_lower_bound(std::size_t position);
  void refine_at_times(std::size_t before, std::size_t step);
  void raise(std::size_t position, float lower_bound);
  void update_threshold(std::size_t position);
  void prune_candidates(std::size_t position);
  void shorten_list(std::size_t position);
  void refine_candidates(std::size_t position);

  const Int8Table& table_;
  ConstMatrixView queries_;
  std::size_t k_, most_candidates_, most_listed_;
  Int8Queries encoded_;
  EarlyTerminationPolicy early_termination_;
  std::vector<std::uint32_t> position_of_;  // a query; all below is by position
  std::vector<float> lower_bounds_;         // of the k-th best scores
  std::vector<float> thresholds_;           // of the filter: lower than these where a list is wanted
  struct List {
    double margin = 0;  // in units of the query; 0: no list is wanted
    bool cut = false, lost = false;
  };
  std::vector<List> lists_;
  std::unique_ptr<RowCandidate[]> candidates_;
  std::vector<RowCandidate*> candidates_of_;
  std::vector<std::uint32_t> candidate_counts_;
  std::vector<std::uint32_t> counted_;  // candidates whose lower bounds are in the heaps
  std::vector<double> heaps_;           // of each query the k largest lower bounds (push_top_k)
  std::vector<std::uint32_t> heap_sizes_;
  std::vector<TopK<float>> best_;  // of the candidates that are scored
};

}  // namespace wordbridge
