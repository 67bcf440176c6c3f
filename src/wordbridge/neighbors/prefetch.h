#pragma once
#include <cstddef>

namespace wordbridge {

/// Asks for the memory of a row before it is needed.
inline void prefetch(const float* row, std::size_t dimension) {
  constexpr std::size_t kLine = 64 / sizeof(float);
  for (std::size_t i = 0; i < dimension; i += kLine) __builtin_prefetch(row + i);
}

}  // namespace wordbridge
