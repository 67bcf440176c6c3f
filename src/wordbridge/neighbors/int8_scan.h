#pragma once
#include <limits>
#include <memory>
#include <vector>

#include "wordbridge/neighbors/check_choice.h"
#include "wordbridge/neighbors/int8_table.h"
#include "wordbridge/neighbors/row_candidates.h"
#include "wordbridge/neighbors/top_k.h"

namespace wordbridge {

/// The k best rows of a block of queries among some panels of a table: the int8 screen collects rows that may be among
/// them, and their exact scores decide.
///
/// No score is needed to raise a query's threshold while the screen runs: k rows whose scores are at least b, by their
/// bounds from below, make every row worthless whose bound from above is under b. Now and then, and at the end, the few
/// rows that are left are scored, best bound first, until no bound reaches the k-th best score.
class Int8Scan {
 public:
  Int8Scan(const Int8Table& table, ConstMatrixView queries, std::size_t k);

  /// Queries a scan can have for this k without taking more than about 20 MB.
  static std::size_t most_queries(std::size_t k);

  /// Says that at least k rows score at least this much.
  void raise_threshold(std::size_t query, float score);
  /// Asks for a list of the rows that score up to `margin` less than the k-th best; before anything else.
  void keep_near(std::size_t query, double margin);
  /// Runs the screen over panels [begin, end); each panel once.
  void screen(std::size_t begin, std::size_t end);
  /// Over all panels, and for their rows as well. The queries are those of `rows` from `first_query` on.
  void screen_both_sides(RowCandidates& rows, std::size_t first_query);
  /// The best rows of a query, among all panels seen.
  TopK<float> take_best(std::size_t query);

  /// Rows, and bounds of their scores from above: the k best first, the others in no order.
  struct NearRows {
    std::vector<ScoredRow> rows;
    /// No other row scores more; minus infinity: there is none. Infinity: there is no list.
    double rest = std::numeric_limits<double>::infinity();
    bool cut = false;  // the margin became smaller than asked for, because the rows were too many
  };
  /// The list that was asked for; after take_best().
  NearRows take_near(std::size_t query) const;

 private:
  void run(ScreenJob& job);
  void answer_zero_queries(std::size_t begin, std::size_t end);
  void judge_all();
  void judge(std::size_t place);
  void score_at_times(std::size_t before, std::size_t step);
  void raise(std::size_t place, float threshold);
  void lower_by_margin(std::size_t place);
  void drop_hopeless(std::size_t place);
  void narrow(std::size_t place);
  void score(std::size_t place);

  const Int8Table& table_;
  ConstMatrixView queries_;
  std::size_t k_, most_hits_;
  Int8Queries encoded_;
  CheckChoice checks_;
  std::vector<std::uint32_t> place_of_;  // a query; all below is by place
  std::vector<float> needed_;            // rows with a smaller bound are not among the k best
  std::vector<float> thresholds_;        // what the screen asks for: less than `needed_` where a list is wanted
  struct List {
    double margin = 0;  // in units of the query; 0: no list is wanted
    bool cut = false, lost = false;
  };
  std::vector<List> lists_;
  std::unique_ptr<ScreenHit[]> hits_;
  std::vector<ScreenHit*> hits_of_;
  std::vector<std::uint32_t> hit_count_;
  std::vector<std::uint32_t> judged_;  // hits whose bounds from below are in least_
  /// For each query a heap of the k largest bounds from below, the smallest first.
  std::vector<double> least_;
  std::vector<std::uint32_t> least_count_;
  std::vector<TopK<float>> best_;  // of the hits that are scored
};

}  // namespace wordbridge
