#pragma once
#include "search/neighbor_search.h"

namespace wordbridge {

/// The definition of the search as a plain loop over all pairs: the oracle of the tests.
class BruteForceSearch : public NeighborSearch {
 public:
  explicit BruteForceSearch(ConstMatrixView table) : table_(table) {}
  Neighbors search(ConstMatrixView queries, std::size_t k) const override;
  std::optional<RangeSearchResult> range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                std::span<const float> offsets, std::size_t most) const override;
  ConstMatrixView table() const override { return table_; }

 private:
  ConstMatrixView table_;
};

}  // namespace wordbridge
