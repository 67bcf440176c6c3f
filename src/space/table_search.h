#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "search/neighbor_search.h"

namespace wordbridge {

/// Exact search over one table for any number of queries: few are answered by plain products, and only many are worth
/// the time to build an index.
class TableSearch final : public NeighborSearch {
 public:
  /// `expected`: queries that will come at least; an index may be worth it from the first one on.
  explicit TableSearch(ConstMatrixView table, std::size_t expected = 0) : table_(table), asked_(expected) {}
  ~TableSearch() override;

  Neighbors search(ConstMatrixView queries, std::size_t k) const override;
  Neighbors search_above(ConstMatrixView queries, std::size_t k, std::span<const float> lower_bounds) const override;
  std::optional<RangeSearchResult> range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                std::span<const float> offsets, std::size_t most) const override;
  ConstMatrixView table() const override { return table_; }

 private:
  const NeighborSearch& search_for(std::size_t queries) const;

  ConstMatrixView table_;
  mutable std::atomic<std::size_t> asked_;  // queries so far, or expected
  /// A search that is made when it is first wanted.
  struct Part {
    std::atomic<const NeighborSearch*> made{nullptr};
    std::unique_ptr<const NeighborSearch> search;  // written once, under the lock
  };
  mutable Part plain_, indexed_;
  mutable std::mutex making_;
};

}  // namespace wordbridge
