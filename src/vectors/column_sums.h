#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// Rows of a block that is summed up by itself; the sums of blocks are added in their order, so that neither threads
/// nor processes change a bit of a mean.
inline constexpr std::size_t kColumnSumRows = 4096;

/// Of one block, over the rows that are not zero.
struct ColumnSums {
  std::vector<double> sums;  // of each column
  std::size_t rows = 0;      // that are not zero
};

/// One for each block of the table, in order.
std::vector<ColumnSums> column_sums(ConstMatrixView table);

/// The sums over that many rows divided by their number; 0 where there is none.
std::vector<float> means_of(std::span<const double> sums, std::size_t rows);

}  // namespace wordbridge
