#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "search/neighbor_search.h"
#include "space/unit_rows.h"

namespace wordbridge {

/// Exact search over one table for any number of queries: few are answered by plain products, and only many are worth
/// the time to build an index.
class TableSearch final : public NeighborSearch {
 public:
  /// `expected`: queries that will come at least; an index may be worth it from the first one on.
  explicit TableSearch(ConstMatrixView table, std::size_t expected = 0) : table_(table), asked_(expected) {}
  /// The same for rows of which more is known, which takes less.
  explicit TableSearch(UnitRows rows, std::size_t expected = 0)
      : table_(rows.unread()), unit_rows_(std::move(rows)), asked_(expected) {}
  /// The same with an index that was made before, and is loaded when it is first wanted: from the first query on.
  using LoadIndex = std::function<std::unique_ptr<const NeighborSearch>()>;
  TableSearch(UnitRows rows, LoadIndex load)
      : table_(rows.unread()), unit_rows_(std::move(rows)), asked_(0), load_(std::move(load)) {}
  ~TableSearch() override;

  Neighbors search(ConstMatrixView queries, std::size_t k) const override;
  Neighbors search_above(ConstMatrixView queries, std::size_t k, std::span<const float> lower_bounds) const override;
  std::optional<RangeSearchResult> range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                std::span<const float> offsets, std::size_t most) const override;
  ConstMatrixView table() const override { return unit_rows_ ? unit_rows_->rows() : table_; }
  /// The rows where they are known to be of length 1, else nothing.
  const UnitRows* unit_rows() const { return unit_rows_ ? &*unit_rows_ : nullptr; }

 private:
  const NeighborSearch& search_for(std::size_t queries) const;
  std::unique_ptr<const NeighborSearch> make(bool many) const;

  ConstMatrixView table_;  // the unit rows may still have to be brought
  std::optional<UnitRows> unit_rows_;
  mutable std::atomic<std::size_t> asked_;  // queries so far, or expected
  LoadIndex load_;                          // empty: there is none
  /// A search that is made when it is first wanted.
  struct Part {
    std::atomic<const NeighborSearch*> made{nullptr};
    std::unique_ptr<const NeighborSearch> search;  // written once, under the lock
  };
  mutable Part plain_, indexed_;
  mutable std::mutex making_;
};

}  // namespace wordbridge
