#pragma once
#include <memory>
#include <span>
#include <vector>

#include "search/neighbor_search.h"
#include "space/unit_rows.h"
#include "wordbridge/criterion.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Ranks rows y of a table for queries q by  scale * cos(q, y) - (a(q) + b(y)),  in double from the exact float cosine:
/// what CSLS (scale 2) comes to once b = r_s is known for all targets. By id where equal; zero rows take no part.
///
/// The order is that of the inner products of [q, 1] with [y, -b(y) / scale], so that any exact search finds it.
class ShiftedRanking {
 public:
  /// `shifts`: b(y), one for each row.
  ShiftedRanking(UnitRows table, double scale, std::span<const double> shifts);

  /// `query_shifts`: a(q), one for each query.
  Candidates best(ConstMatrixView queries, std::span<const double> query_shifts, std::size_t count) const;

 private:
  class Batch;

  UnitRows table_;
  double scale_;
  std::vector<double> shifts_;
  Matrix extended_;  // [y, -b(y) / scale]
  std::unique_ptr<NeighborSearch> search_;
  double largest_shift_ = 0;  // |b(y)|
};

}  // namespace wordbridge
