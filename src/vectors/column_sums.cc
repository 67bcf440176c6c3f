#include "vectors/column_sums.h"

#include "parallel/thread_pool.h"

namespace wordbridge {

std::vector<ColumnSums> column_sums(ConstMatrixView table) {
  std::vector<ColumnSums> blocks((table.rows() + kColumnSumRows - 1) / kColumnSumRows);
  ThreadPool::current().for_chunks(table.rows(), kColumnSumRows, [&](std::size_t begin, std::size_t end, int) {
    ColumnSums& block = blocks[begin / kColumnSumRows];
    block.sums.assign(table.cols(), 0);
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = table.row(i);
      if (is_zero(row)) continue;
      ++block.rows;
      for (std::size_t j = 0; j < row.size(); ++j) block.sums[j] += row[j];
    }
  });
  return blocks;
}

std::vector<float> means_of(std::span<const double> sums, std::size_t rows) {
  std::vector<float> means(sums.size(), 0);
  if (rows > 0)
    for (std::size_t j = 0; j < sums.size(); ++j) means[j] = static_cast<float>(sums[j] / static_cast<double>(rows));
  return means;
}

}  // namespace wordbridge
