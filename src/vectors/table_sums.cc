#include "vectors/table_sums.h"

#include <bit>
#include <cassert>

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

static_assert(std::endian::native == std::endian::little, "the checksum is defined over little-endian values");

Sha256::Digest content_block_digest(std::span<const std::string_view> words, ConstMatrixView rows) {
  assert(words.size() == rows.rows() && rows.rows() <= kContentBlockRows);
  Sha256 hash;
  for (const std::string_view word : words) {
    const std::uint64_t length = word.size();
    hash.update(&length, sizeof(length));
    hash.update(word);
  }
  for (std::size_t i = 0; i < rows.rows(); ++i) hash.update(rows.row(i).data(), rows.cols() * sizeof(float));
  return hash.finish();
}

std::string content_checksum_of_blocks(std::uint64_t rows, std::uint64_t dimension,
                                       std::span<const Sha256::Digest> blocks) {
  assert(blocks.size() == (rows + kContentBlockRows - 1) / kContentBlockRows);
  Sha256 total;
  const std::uint64_t shape[2] = {rows, dimension};
  total.update(shape, sizeof(shape));
  for (const Sha256::Digest& digest : blocks) total.update(digest.data(), digest.size());
  return to_hex(total.finish());
}

}  // namespace wordbridge
