#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace wordbridge {

/// Seeded random numbers that are the same on every platform and standard library: the engine is specified by the
/// standard, the distributions here are ours.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  /// Uniform in [0, n), n > 0, without bias.
  std::size_t index(std::size_t n);
  /// Standard normal (polar method).
  double normal();
  /// Fisher-Yates.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[index(i)]);
  }
  /// `count` distinct numbers of [0, n), in random order; count <= n.
  std::vector<std::size_t> sample(std::size_t n, std::size_t count);

 private:
  std::mt19937_64 engine_;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// A seed for one of several streams of random numbers. Neighboring seeds and streams give seeds that have nothing in
/// common, also when seeds are made from such seeds.
std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t stream);

}  // namespace wordbridge
