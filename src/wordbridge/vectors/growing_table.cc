#include "wordbridge/vectors/growing_table.h"

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
  if ((rows_ + 1) * dimension_ * sizeof(float) > capacity_bytes_) grow();
  std::ranges::copy(row, data_ + rows_ * dimension_);
  ++rows_;
}

void GrowingTable::grow() {
  const std::size_t bytes =
      std::max({capacity_bytes_ * 2, (rows_ + 1) * dimension_ * sizeof(float), std::size_t{1} << 20});
  void* moved = data_ == nullptr
                    ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                    : ::mremap(data_, capacity_bytes_, bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
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

}  // namespace wordbridge
