#pragma once
#include <cstddef>
#include <vector>

#include "search/kernels/kernels.h"

namespace wordbridge {

/// A fixed orthogonal map of R^n that spreads the energy of any vector over all coordinates, so that quantizing them
/// with one step for all loses little. It costs O(n log n): random signs, a Walsh-Hadamard transform of the first
/// h = 2^floor(log2 n) coordinates, signs again, and one of the last h. Two transforms overlap wherever n is no power
/// of two.
class HadamardRotation {
 public:
  HadamardRotation(std::size_t dimension, const EncodeKernel& kernel);

  /// Rotates `dimension` values in place, in float.
  void apply(float* values) const;

  /// The computed values differ from the exact ones by a vector of at most this share of their norm. Each of the
  /// log2 h stages of a transform and the scaling by h^-1/2 round every value once, and the factor of the scaling is
  /// rounded itself: with u = 2^-24, (1 + u)^(2 (log2 h + 2)) - 1 in all. Underflow comes on top: at most 2^-100, if no
  /// value is much larger than 1.
  double error() const { return error_; }

 private:
  const EncodeKernel* kernel_;
  std::size_t dimension_, block_;
  float factor_;
  double error_;
  std::vector<float> signs_;  // for the first and for the second transform
};

}  // namespace wordbridge
