#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/int8_search.h"
#include "search/top_k.h"
#include "search/warm_start/candidate_list_policy.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

/// Answers a query that has moved a little from a cached list of its candidates at an earlier call, if an upper bound
/// certifies that no other row can be among the k best now, and scans the table only where it does not. Such a scan
/// starts warm: from the scores of the previous neighbors as lower bound.
///
/// A slot remembers the query q0 of its last scan and a list of rows; all others scored at most tau. Of a row y outside
/// the list, with D0 = <q0, y>, and for any alpha >= 0,
///     <q, y> = alpha D0 + <q - alpha q0, y> <= alpha tau + |q - alpha q0| Y,
/// Y the largest norm of a row (warm_start_search.cc adds what rounding may do). If the k-th best score of q in the
/// list is strictly larger, the list holds the k best rows of the table. The best alpha is a little less than that of
/// the projection: with p = <q, q0> / |q0|^2, r = q - p q0 and t = tau / |q0|,
///     alpha = p - |r| t / (|q0| sqrt(Y^2 - t^2)).
/// Rows of the list are bounded in the same way, so after a small step most are pruned without a score.
///
/// A list is what passes the filter with a threshold below the k-th best score, with its upper bounds. How far below
/// depends on the last step; where that was so large that the list would be too long, there is none. Nor where lists do
/// not pay (CandidateListPolicy).
class WarmStartSearch : public MovingSearch {
 public:
  enum class Caching { where_it_pays, always };
  /// `search` must outlive this.
  explicit WarmStartSearch(const Int8Search& search, Caching caching = Caching::where_it_pays);

  Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) override;
  ConstMatrixView table() const override { return search_.table(); }
  std::uint64_t certified() const override { return certified_; }

 private:
  /// What is known of a query: at d = 300 about 3 KB, and 8 bytes for each row of the list.
  struct Slot {
    std::vector<float> last;                                  // the query of the last call; empty: it is new
    std::vector<float> reference;                             // q0; empty: there is no list
    std::vector<ScoredRow> list;                              // upper bounds of the scores of q0, the best k first
    double outside = 0;                                       // tau
    std::vector<std::uint32_t> best;                          // the answer of the last call
    double widest = std::numeric_limits<double>::infinity();  // a list with a larger margin would be too long
  };
  /// What is known of a query before a scan.
  struct Lookup {
    std::vector<ScoredRow> best;  // the answer, if it is certified
    bool certified = false;
    bool tried = false;                                           // there was a list
    std::size_t scores = 0;                                       // exact ones, for it
    float lower_bound = -std::numeric_limits<float>::infinity();  // of the k-th best score
    double margin = 0;                                            // of a list; 0: it would be too long
  };
  Lookup look_up(const Slot& slot, const float* query, std::size_t found) const;
  void learn_from(std::span<const Lookup> lookups);
  Lookup score_list(const Slot& slot, const float* query, std::size_t found) const;
  void score_rows(std::span<const ScoredRow> rows, const float* query, TopK<float>& best) const;
  void scan(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::span<const std::size_t> open,
            std::span<const Lookup> lookups, Neighbors& result);

  const Int8Search& search_;
  Caching caching_;
  CandidateListPolicy policy_;
  double largest_norm_ = 0;  // Y
  std::vector<Slot> slots_;
  std::uint64_t certified_ = 0;
};

}  // namespace wordbridge
