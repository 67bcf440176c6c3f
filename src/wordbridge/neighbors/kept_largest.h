#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace wordbridge {

/// Keeps the k largest of the values offered, k >= 1, as a heap in `kept`, the smallest first; `count` of them so far.
/// False if the k-th largest is not known yet, or did not change.
template <typename Value>
bool keep_largest(Value value, std::size_t k, Value* kept, std::uint32_t& count) {
  if (count < k) {
    kept[count++] = value;
    std::push_heap(kept, kept + count, std::greater<>());
    return count == k;
  }
  if (!(value > kept[0])) return false;
  std::size_t place = 0;
  for (std::size_t child = 1; child < k; child = 2 * place + 1) {
    if (child + 1 < k && kept[child + 1] < kept[child]) ++child;
    if (!(kept[child] < value)) break;
    kept[place] = kept[child];
    place = child;
  }
  kept[place] = value;
  return true;
}

}  // namespace wordbridge
