#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "search/kernels/kernels.h"
#include "wordbridge/matrix.h"

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

/// The leading principal axes of a sample, one a row, by descending variance: at most 32.
Matrix leading_axes(ConstMatrixView sample);

/// An orthogonal map of R^n that puts first what matters most: the principal axes of a sample by descending variance,
/// so that the first coordinates tell most of a dot product. Within each span of coordinates the axes are mixed by a
/// HadamardRotation, so that quantizing a span with one step loses little.
class PrincipalRotation {
 public:
  /// `sample` has n columns, at most a few hundred; its values should not be far from 1. The last span may be shorter.
  PrincipalRotation(ConstMatrixView sample, std::size_t span_length, const EncodeKernel& kernel);

  /// As it was made before: R (n x n), its error(), the leading axes and the span sizes.
  PrincipalRotation(Matrix rotation, double error, Matrix leading, std::vector<double> span_sizes)
      : rotation_(std::move(rotation)),
        leading_(std::move(leading)),
        span_sizes_(std::move(span_sizes)),
        error_(error) {}

  /// R.
  const Matrix& rotation() const { return rotation_; }
  /// result = rows Rᵀ, on the calling thread.
  void apply(ConstMatrixView rows, MatrixView result) const;

  /// The computed values of a row x differ from those of an exact rotation T by at most this share of |x|.
  ///
  /// T is the orthogonal factor of R's polar decomposition, so |R - T| = max |sigma - 1| <= |R Rᵀ - I|, which is
  /// measured. The product in float adds, in each coordinate, gamma_n sum_j |R_ij| |x_j| (rounding.h), a vector of at
  /// most gamma_n || |R| || |x|, where || |R| ||^2 is at most the largest sum of a row times that of a column.
  /// Underflow comes on top: less than 2^-100, if no value is much larger than 1.
  double error() const { return error_; }

  /// The leading axes before they are mixed, one a row: for whoever wants to know what is near.
  const Matrix& leading_axes() const { return leading_; }
  /// The root mean square of the coordinates of the sample in each span.
  const std::vector<double>& span_sizes() const { return span_sizes_; }

 private:
  Matrix rotation_;  // R, n x n
  Matrix leading_;
  std::vector<double> span_sizes_;
  double error_ = 0;
};

}  // namespace wordbridge
