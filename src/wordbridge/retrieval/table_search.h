#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "wordbridge/neighbors/neighbor_search.h"

namespace wordbridge {

/// Exact search over one table for any number of queries: few are answered by plain products, and only many are worth
/// the time to build an index. Not for several threads at once.
class TableSearch {
 public:
  /// The table must outlive the search and stay unchanged.
  explicit TableSearch(ConstMatrixView table) : table_(table) {}

  Neighbors search(ConstMatrixView queries, std::size_t k);
  // See NeighborSearch.
  Neighbors search_above(ConstMatrixView queries, std::size_t k, std::span<const float> floors);
  std::optional<RangeSearchResult> range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                std::span<const float> offsets, std::size_t most);
  ConstMatrixView table() const { return table_; }

 private:
  const NeighborSearch& search_for(std::size_t queries);

  ConstMatrixView table_;
  std::size_t asked_ = 0;  // queries so far
  std::unique_ptr<NeighborSearch> plain_, indexed_;
};

}  // namespace wordbridge
