#include "wordbridge/vectors/word_vectors.h"

#include <bit>
#include <cassert>
#include <cstdint>

#include "wordbridge/base/checksum.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {

WordVectors::WordVectors(Vocabulary vocabulary, Matrix table, ReadSummary summary)
    : vocabulary_(std::move(vocabulary)), table_(std::move(table)), summary_(std::move(summary)) {
  assert(vocabulary_.size() == table_.rows());
}

std::optional<std::vector<float>> WordVectors::subword_vector(std::string_view word) const {
  return subword_model_ ? subword_model_(word) : std::nullopt;
}

void WordVectors::truncate(std::size_t words) {
  if (words >= size()) return;
  vocabulary_.truncate(words);
  table_.truncate_rows(words);
}

std::string content_checksum(const Vocabulary& vocabulary, ConstMatrixView table) {
  // A hash of the hashes of blocks, so that all cores can work on it.
  constexpr std::size_t kBlock = 8192;
  static_assert(std::endian::native == std::endian::little, "the checksum is defined over little-endian values");
  std::vector<Sha256::Digest> digests((table.rows() + kBlock - 1) / kBlock);
  ThreadPool::shared().for_chunks(table.rows(), kBlock, [&](std::size_t begin, std::size_t end, int) {
    Sha256 hash;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t length = vocabulary[i].size();
      hash.update(&length, sizeof(length));
      hash.update(vocabulary[i]);
    }
    for (std::size_t i = begin; i < end; ++i) hash.update(table.row(i).data(), table.cols() * sizeof(float));
    digests[begin / kBlock] = hash.finish();
  });
  Sha256 total;
  const std::uint64_t shape[2] = {table.rows(), table.cols()};
  total.update(shape, sizeof(shape));
  for (const Sha256::Digest& digest : digests) total.update(digest.data(), digest.size());
  return to_hex(total.finish());
}

}  // namespace wordbridge
