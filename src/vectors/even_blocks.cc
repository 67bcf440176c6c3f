#include "vectors/even_blocks.h"

#include <algorithm>
#include <utility>

namespace wordbridge {

std::size_t EvenBlocks::usual_rows(std::size_t dimension) {
  constexpr std::size_t kBytes = std::size_t{32} << 20;
  return kUnit * std::clamp<std::size_t>(kBytes / (kUnit * dimension * sizeof(float)), 1, 32);
}

bool EvenBlocks::fill() {
  if (taken_ < pending_.words.size()) return true;
  auto read = source_.next();
  pending_ = read ? std::move(*read) : VectorBlock{};
  taken_ = 0;
  return read.has_value();
}

std::optional<VectorBlock> EvenBlocks::next() {
  if (!fill()) return std::nullopt;
  if (taken_ == 0 && pending_.words.size() == rows_) return std::exchange(pending_, {});  // nothing to be joined
  VectorBlock block{{}, Matrix::uninitialized(rows_, source_.dimension())};
  while (block.words.size() < rows_ && fill()) {
    const std::size_t count = std::min(rows_ - block.words.size(), pending_.words.size() - taken_);
    std::copy_n(pending_.rows.row(taken_).data(), count * source_.dimension(),
                block.rows.row(block.words.size()).data());
    for (std::size_t i = 0; i < count; ++i) block.words.push_back(std::move(pending_.words[taken_ + i]));
    taken_ += count;
  }
  block.rows.truncate_rows(block.words.size());
  return block;
}

}  // namespace wordbridge
