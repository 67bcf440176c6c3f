#include "vectors/row_blocks.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace wordbridge {

GrowingTable::~GrowingTable() {
  if (data_ != nullptr) ::munmap(data_, capacity_bytes_);
}

void GrowingTable::append(std::span<const float> row) {
  assert(row.size() == dimension_);
  const std::size_t bytes = (rows_ + 1) * dimension_ * sizeof(float);
  if (bytes > capacity_bytes_) grow(std::max({capacity_bytes_ * 2, bytes, std::size_t{1} << 20}));
  std::ranges::copy(row, data_ + rows_ * dimension_);
  ++rows_;
}

void GrowingTable::reserve(std::size_t rows) {
  const std::size_t bytes = rows * dimension_ * sizeof(float);
  if (bytes > capacity_bytes_) grow(bytes);
}

void GrowingTable::grow(std::size_t bytes) {
  void* moved = data_ == nullptr
                    ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                    : ::mremap(data_, capacity_bytes_, bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  ::madvise(moved, bytes, MADV_HUGEPAGE);  // fewer page faults; where it cannot be, nothing is lost
  data_ = static_cast<float*>(moved);
  capacity_bytes_ = bytes;
}

Matrix GrowingTable::take() {
  float* data = std::exchange(data_, nullptr);
  const std::size_t bytes = std::exchange(capacity_bytes_, 0);
  if (data == nullptr) return Matrix(0, dimension_);
  std::shared_ptr<void> owner(data, [bytes](void* memory) { ::munmap(memory, bytes); });
  return Matrix::adopt(data, std::exchange(rows_, 0), dimension_, std::move(owner));
}

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
