#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/int8/int8_scan.h"
#include "search/int8_search.h"
#include "search/top_k.h"
#include "search/warm_start/block_bounds.h"
#include "search/warm_start/drift.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

/// Answers a query that has moved by filtering only those blocks of rows that may hold one of its k best now.
///
/// A slot remembers its query q0 of the last call, the answer, and for each block of rows an upper bound of their
/// scores for q0 (BlockBounds). What the queries of a call have moved since, they have mostly moved together: in a few
/// directions (DriftDirections), along which it is known how far the rows of each block reach (DriftExtents). So the
/// bounds follow the query (DriftMove), a little looser with every call. The scores of the previous neighbors are a
/// lower bound of the k-th best score; blocks whose upper bounds are below it are pruned, and the others filtered as in
/// any scan, which makes their bounds tight again.
///
/// Where many blocks are open after a long step, the most promising ones are filtered first: what they hold raises the
/// lower bound. Where nearly all are, and for queries that are new, the whole table is scanned.
class WarmStartSearch : public MovingSearch {
 public:
  /// `search` must outlive this; best over a clustered table. `parts`: of how many tables it is over one, each of which
  /// keeps its part of candidates.
  explicit WarmStartSearch(const Int8Search& search, std::size_t parts = 1);

  Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) override {
    return search_above(queries, slots, k, {});
  }
  Neighbors search_above(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k,
                         std::span<const float> floors) override;
  std::span<const float> row(std::uint32_t id) const override { return table().row(id); }
  std::size_t dimension() const override { return table().cols(); }
  std::uint64_t saved_scans() const override { return saved_scans_; }
  void take_over(const MovingSearch& other, std::span<const std::uint32_t> slots, bool moved) override;

 private:
  /// A call of search_above().
  struct Call {
    ConstMatrixView queries;
    std::span<const std::uint32_t> slots;
    std::vector<float> lower_bounds;  // of the k-th best scores
    std::optional<DriftExtents> extents;
    DriftDirections directions;
    Neighbors result;
    std::vector<std::uint64_t> filtered;  // blocks, of each query
  };
  /// A block that may hold one of the k best rows of a query.
  struct OpenBlock {
    std::uint32_t block;
    float bound;
  };
  ConstMatrixView table() const { return search_.table(); }
  const Int8Table& codes() const { return search_.codes(); }
  void find_lower_bounds(Call& call, std::span<const float> floors) const;
  void find_drift(Call& call) const;
  std::vector<std::size_t> filter_open_blocks(Call& call, std::span<const std::size_t> known);
  void move_bounds(Call& call, std::span<const std::size_t> some, std::span<std::vector<OpenBlock>> open);
  void filter_blocks(Call& call, std::span<const std::size_t> some, std::span<std::vector<OpenBlock>> open);
  void filter_pairs(Call& call, std::span<const std::size_t> some, std::span<const std::vector<OpenBlock>> open,
                    Int8Scan& scan);
  void scan_all(Call& call, std::span<const std::size_t> some);
  void keep_answer(Call& call, std::size_t i, TopK<float> best);
  float largest_score(std::span<const float> query) const;
  void keep_bounds(const Call& call, std::size_t i, const Int8Scan& scan, std::size_t place);

  const Int8Search& search_;
  std::size_t parts_;
  std::optional<DriftTable> measures_;  // where there are blocks
  std::vector<std::uint32_t> ids_;      // of the rows, in the order of their blocks
  QuerySlots slots_;
  std::uint64_t saved_scans_ = 0;
};

}  // namespace wordbridge
