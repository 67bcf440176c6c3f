#pragma once
#include <limits>
#include <utility>
#include <vector>

#include "search/int8/int8_table.h"
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"

namespace wordbridge {

/// Exact search by filter and refine: products of 8-bit codes, several times cheaper than those of floats, are upper
/// bounds of all scores, and only rows whose bound reaches the k-th best score are scored.
class Int8Search : public NeighborSearch {
 public:
  explicit Int8Search(ConstMatrixView table, const Kernels& chosen = kernels(),
                      TableLayout layout = TableLayout::staged)
      : table_(table, chosen, layout) {}
  explicit Int8Search(Int8Table table) : table_(std::move(table)) {}

  Neighbors search(ConstMatrixView queries, std::size_t k) const override {
    return search_above(queries, k, std::vector<float>(queries.rows(), -std::numeric_limits<float>::infinity()));
  }
  Neighbors search_above(ConstMatrixView queries, std::size_t k, std::span<const float> lower_bounds) const override;
  std::optional<RangeSearchResult> range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                std::span<const float> offsets, std::size_t most) const override;
  ConstMatrixView table() const override {
    if (table_.loader() != nullptr) table_.loader()->bring_all();
    return table_.table();
  }
  std::unique_ptr<MovingSearch> make_moving(std::size_t parts = 1) const override;
  const Int8Table& codes() const { return table_; }

 private:
  class RangeFilter;

  Int8Table table_;
};

}  // namespace wordbridge
