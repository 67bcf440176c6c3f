#include "base/random.h"

#include <cassert>
#include <cmath>
#include <numeric>

namespace wordbridge {

std::size_t Random::index(std::size_t n) {
  assert(n > 0);
  const std::uint64_t range = n;
  const std::uint64_t reject_below = (0 - range) % range;  // 2^64 mod n: the values that would favor small indexes
  std::uint64_t value = bits();
  while (value < reject_below) value = bits();
  return static_cast<std::size_t>(value % range);
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  for (;;) {
    const double u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    const double square = u * u + v * v;
    if (square >= 1 || square == 0) continue;
    const double scale = std::sqrt(-2 * std::log(square) / square);
    spare_ = v * scale;
    has_spare_ = true;
    return u * scale;
  }
}

std::vector<std::size_t> Random::sample(std::size_t n, std::size_t count) {
  assert(count <= n);
  std::vector<std::size_t> items(n);
  std::iota(items.begin(), items.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) std::swap(items[i], items[i + index(n - i)]);
  items.resize(count);
  return items;
}

std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t stream) {
  // The finalizer of SplitMix64 (Steele et al. 2014), once for each number.
  const auto mixed = [](std::uint64_t z) {
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  };
  return mixed(mixed(seed) + stream);
}

}  // namespace wordbridge
