#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "align/adapt/adapter.h"
#include "base/random.h"

namespace wordbridge {

/// Items in two spaces in which least squares is not what ranks best: of the target's 24 axes three are loud, and the
/// source knows these only through noise.
struct LoudSpaces {
  LoudSpaces(std::size_t items, std::uint64_t seed) : source(items, kAxes), target(items, kAxes) {
    Random random(seed);
    for (std::uint32_t i = 0; i < items; ++i) {
      for (std::size_t j = 0; j < kAxes; ++j) {
        const bool loud = j < 3;
        const double value = (loud ? 4 : 1) * random.normal();
        target(i, j) = static_cast<float>(value);
        source(i, j) = static_cast<float>(value + (loud ? 4 : 0.6) * random.normal());
      }
      pairs.push_back({i, i});
    }
  }
  PairedItems items() const { return PairedItems(source, target, pairs, 0, 1); }

  static constexpr std::size_t kAxes = 24;
  Matrix source, target;
  std::vector<Lexicon::Pair> pairs;
};

/// ‖W‖ in the Frobenius norm.
inline double frobenius_of(const MatrixD& w) {
  double square = 0;
  for (const double value : w.elements()) square += value * value;
  return std::sqrt(square);
}

}  // namespace wordbridge
