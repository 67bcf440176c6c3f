#include "vectors/content_checksum.h"

#include <bit>
#include <cassert>

namespace wordbridge {

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
