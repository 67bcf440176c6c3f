#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
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

// The parts of content_checksum() (word_vectors.h), for formats that store them. The checksum is a hash of the hashes
// of blocks of rows, so that all cores can work on it, and so that the one of the first n rows needs only the hashes of
// whole blocks and the rows of the last. Defined in docs/file-formats.md, section "Content checksum".

/// Rows of a block; the last one may have fewer.
inline constexpr std::size_t kContentBlockRows = 8192;

/// The hash of one block: words.size() x d.
Sha256::Digest content_block_digest(std::span<const std::string_view> words, ConstMatrixView rows);

/// The checksum (hexadecimal) of `rows` x `dimension` values from the hashes of their blocks.
std::string content_checksum_of_blocks(std::uint64_t rows, std::uint64_t dimension,
                                       std::span<const Sha256::Digest> blocks);

}  // namespace wordbridge
