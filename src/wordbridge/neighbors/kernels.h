#pragma once
#include <cstddef>
#include <cstdint>

namespace wordbridge {

/// The inner loops of the searches for one instruction set. A further set is one new file that defines such a table and
/// one line in kernel_choice.cc. The files of the kernels take and give plain pointers and use no inline function or
/// template of any other header: the linker might keep their copy, made for one instruction set, for the whole program.
struct Kernels {
  const char* name;
  /// See exact_score() in neighbor_search.h.
  float (*exact_score)(const float* a, const float* b, std::size_t dimension);
  /// Writes the ascending indexes i < count of all scores[i] that are not below `threshold` (so NaN passes) to
  /// `passed`, which has room for `count`, and returns how many they are.
  std::size_t (*select_not_below)(const float* scores, std::size_t count, float threshold, std::uint32_t* passed);
};

}  // namespace wordbridge
