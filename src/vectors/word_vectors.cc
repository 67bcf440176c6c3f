#include "wordbridge/word_vectors.h"

#include <cassert>

#include "parallel/thread_pool.h"
#include "vectors/table_sums.h"

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
  content_checksum_.clear();
}

std::string WordVectors::content_checksum() const {
  return content_checksum_.empty() ? wordbridge::content_checksum(vocabulary_, table_) : content_checksum_;
}

std::string content_checksum(const Vocabulary& vocabulary, ConstMatrixView table) {
  std::vector<Sha256::Digest> blocks((table.rows() + kContentBlockRows - 1) / kContentBlockRows);
  ThreadPool::current().for_chunks(table.rows(), kContentBlockRows, [&](std::size_t begin, std::size_t end, int) {
    std::vector<std::string_view> words;
    for (std::size_t i = begin; i < end; ++i) words.push_back(vocabulary[i]);
    blocks[begin / kContentBlockRows] = content_block_digest(words, table.slice(begin, end));
  });
  return content_checksum_of_blocks(table.rows(), table.cols(), blocks);
}

}  // namespace wordbridge
