#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "wordbridge/matrix.h"

namespace wordbridge {

void* allocate_table(std::size_t bytes) {
  // A fault for each page of 4 KB costs as much as filling it.
  constexpr std::size_t kHugePage = std::size_t{2} << 20, kLarge = 8 * kHugePage;
  const bool large = bytes >= kLarge;
  const std::size_t rounded = large ? (bytes + kHugePage - 1) / kHugePage * kHugePage : bytes;
  void* const data = std::aligned_alloc(large ? kHugePage : 64, rounded);
  if (data == nullptr) throw std::bad_alloc();
  if (large) static_cast<void>(::madvise(data, rounded, MADV_HUGEPAGE));  // only advice
  return data;
}

}  // namespace wordbridge
