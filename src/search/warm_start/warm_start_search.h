#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "search/int8/int8_scan.h"
#include "search/int8_search.h"
#include "search/top_k.h"
#include "search/warm_start/candidate_list_policy.h"
#include "search/warm_start/drifted_rows.h"
#include "search/warm_start/moving_search.h"
#include "search/warm_start/packed_list.h"

namespace wordbridge {

/// Answers a query that has moved from a cached list of its candidates at an earlier call, if upper bounds certify that
/// no other row can be among the k best now, and scans the table only where they do not. Such a scan starts warm: from
/// the scores of the previous neighbors as lower bound.
///
/// A slot remembers the query q0 of its last scan and a list of rows; all others scored at most tau. What the queries
/// of a call have moved since, they have mostly moved together: in a few directions (DriftDirections), for which every
/// row is compensated. Outside the list only rows whose drift product reaches (k-th best score of q in the list) -
/// alpha tau - slack can be among the k best (DriftMove): a range search in 16 instead of d dimensions, which prunes
/// nearly all of the table in blocks (DriftedRows). The few rows that it finds are scored too, and the answer is
/// certified. Rows of the list are bounded in the same way, so most are pruned without a score.
///
/// A list is what passes the filter with a threshold below the k-th best score, with its upper bounds. None is made
/// where lists do not pay (CandidateListPolicy).
class WarmStartSearch : public MovingSearch {
 public:
  enum class Caching { where_it_pays, always };
  /// `search` must outlive this. `parts`: of how many tables it is over one, so that lists are parts of lists.
  explicit WarmStartSearch(const Int8Search& search, Caching caching = Caching::where_it_pays, std::size_t parts = 1);

  Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) override {
    return search_above(queries, slots, k, {});
  }
  Neighbors search_above(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k,
                         std::span<const float> floors) override;
  std::span<const float> row(std::uint32_t id) const override { return table().row(id); }
  std::size_t dimension() const override { return table().cols(); }
  std::uint64_t certified() const override { return certified_; }
  /// Lists are shared, not copied.
  void take_over(const MovingSearch& other, std::span<const std::uint32_t> slots, bool moved) override;

 private:
  /// At d = 300 about 1.4 KB, and 4 bytes for each row of the list.
  struct CachedList {
    std::vector<float> reference;  // q0
    PackedList rows;               // upper bounds of the scores of q0, the best k first
    std::uint64_t call;            // that made the list
  };
  /// What is known of a query.
  struct Slot {
    std::shared_ptr<const CachedList> list;  // nullptr: there is none
    std::vector<std::uint32_t> best;         // the answer of the last call
    double margin = 0;                       // of the next list; 0: there was none
  };
  /// What is known of a query before a scan.
  struct Lookup {
    std::vector<ScoredRow> best;  // the answer, if it is certified
    bool certified = false;
    bool tried = false;                                           // there was a list
    double cost = 0;                                              // in exact scores
    float lower_bound = -std::numeric_limits<float>::infinity();  // of the k-th best score
  };
  /// What the lookups of a group of queries have in common.
  struct Drift {
    DriftDirections directions;
    std::vector<DriftMove> moves;     // of each query of the group
    std::optional<DriftedRows> rows;  // none without directions
  };
  /// Memory of a thread.
  struct Scratch {
    std::vector<std::uint32_t> ids, open;
    std::vector<float> drifts;
    std::vector<DriftedRows::Reaching> reaching;
    std::vector<bool> listed;                               // by row; false between lookups
    float floor = -std::numeric_limits<float>::infinity();  // of the query at hand: what scores less does not matter
  };
  ConstMatrixView table() const { return search_.table(); }
  bool has_list(const Slot& slot, std::size_t found) const {
    return slot.list != nullptr && slot.list->rows.size() >= found;
  }
  std::vector<std::vector<std::size_t>> groups(std::span<const std::uint32_t> slots, std::size_t found) const;
  bool drift_pays(std::size_t queries) const;
  Drift measure_drift(ConstMatrixView queries, std::span<const std::uint32_t> slots,
                      std::span<const std::size_t> group) const;
  DriftDirections directions_of(ConstMatrixView queries, std::span<const std::uint32_t> slots,
                                std::span<const std::size_t> group, std::span<const std::size_t> tried) const;
  Lookup look_up(const Slot& slot, const float* query, std::size_t found, const DriftMove& move, const Drift& drift,
                 Scratch& scratch) const;
  bool find_outside(const PackedList& list, const DriftMove& move, const Drift& drift, double threshold, double most,
                    Scratch& scratch, Lookup& result) const;
  void score_rows(std::span<const std::uint32_t> ids, const float* query, TopK<float>& best) const;
  /// `cost`: what the lookups have in common.
  void learn_from(std::span<const Lookup> lookups, double cost);
  void scan(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::span<const std::size_t> open,
            std::span<const Lookup> lookups, Neighbors& result);
  void keep_list(const Int8Scan::CandidateList& list, std::span<const ScoredRow> best, std::span<const float> query,
                 Slot& slot) const;

  const Int8Search& search_;
  Caching caching_;
  std::size_t parts_;
  CandidateListPolicy policy_;
  DriftTable measures_;
  std::vector<std::uint32_t> ids_;  // of the rows that may be neighbors, ascending
  std::vector<Slot> slots_;
  std::uint64_t calls_ = 0, certified_ = 0;
};

}  // namespace wordbridge
