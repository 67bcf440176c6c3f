#pragma once
#include <span>
#include <vector>

#include "search/neighbor_search.h"
#include "search/search_tasks.h"
#include "search/top_k.h"

namespace wordbridge {

/// Exact search over blocks of sgemm products ("base" of the benchmarks): products are the filter, and what passes is
/// refined by exact scores.
class BlasSearch : public NeighborSearch {
 public:
  explicit BlasSearch(ConstMatrixView table);
  /// The same where it is known which rows are zero (one a row), and that no row is longer.
  BlasSearch(ConstMatrixView table, std::vector<std::uint8_t> is_zero, double largest_norm);
  Neighbors search(ConstMatrixView queries, std::size_t k) const override;
  std::optional<RangeSearchResult> range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                std::span<const float> offsets, std::size_t most) const override;
  ConstMatrixView table() const override { return table_; }

 private:
  void scan(ConstMatrixView queries, std::size_t k, const SearchTask& task, MatrixView memory,
            std::span<TopK<float>> best) const;

  ConstMatrixView table_;
  std::vector<std::uint8_t> is_zero_;  // a row
  std::vector<double> block_norms_;    // the largest row norm of each block of rows
  std::vector<std::uint8_t> block_has_zeros_;
  std::size_t eligible_ = 0;
};

}  // namespace wordbridge
