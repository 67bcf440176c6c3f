#include "search/int8/rotation.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "search/rounding.h"

namespace wordbridge {

HadamardRotation::HadamardRotation(std::size_t dimension, const EncodeKernel& kernel)
    : kernel_(&kernel), dimension_(dimension), block_(std::bit_floor(dimension)), signs_(2 * block_) {
  const int stages = std::countr_zero(block_ | 1 << 31);
  factor_ = static_cast<float>(std::sqrt(1.0 / static_cast<double>(block_)));
  error_ = std::expm1(2 * (stages + 2) * std::log1p(kFloatRoundoff)) * (1 + 0x1.0p-40);
  Random random(20'181'031);
  for (float& sign : signs_) sign = random.bits() >> 63 == 0 ? factor_ : -factor_;
}

void HadamardRotation::apply(float* values) const {
  if (dimension_ == 0) return;
  for (std::size_t i = 0; i < block_; ++i) values[i] *= signs_[i];
  kernel_->transform(values, block_);
  float* last = values + (dimension_ - block_);
  for (std::size_t i = 0; i < block_; ++i) last[i] *= signs_[block_ + i];
  kernel_->transform(last, block_);
}

namespace {

constexpr std::size_t kLeadingAxes = 32;

/// All principal axes of a sample and their variances, which ascend.
Eigen principal_axes(ConstMatrixView sample) { return symmetric_eigen(multiply_atb(sample, sample)); }

/// The first axes, one a row.
Matrix axes_as_rows(const Eigen& eigen, std::size_t count) {
  const std::size_t n = eigen.vectors.rows();
  Matrix result = Matrix::uninitialized(count, n);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < n; ++j) result(i, j) = static_cast<float>(eigen.vectors(j, n - 1 - i));
  return result;
}

/// At least |R Rᵀ - I|, by its Frobenius norm in double; each element is off by less than n 2^-52.
double deviation(const Matrix& rotation) {
  const std::size_t n = rotation.rows();
  MatrixD wide = MatrixD::uninitialized(n, n);
  std::copy(rotation.elements().begin(), rotation.elements().end(), wide.elements().begin());
  const MatrixD product = multiply_abt(wide, wide);
  double square = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) square += std::pow(product(i, j) - (i == j ? 1.0 : 0.0), 2);
  const auto count = static_cast<double>(n);
  return std::sqrt(square) * (1 + 0x1.0p-30) + count * count * 0x1.0p-52;
}

/// At least the norm of the matrix of absolute values.
double absolute_norm(const Matrix& matrix) {
  std::vector<double> columns(matrix.cols());
  double rows = 0;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      const double value = std::fabs(double{matrix(i, j)});
      sum += value;
      columns[j] += value;
    }
    rows = std::max(rows, sum);
  }
  return std::sqrt(rows * *std::max_element(columns.begin(), columns.end())) * (1 + 0x1.0p-30);
}

}  // namespace

Matrix leading_axes(ConstMatrixView sample) {
  return axes_as_rows(principal_axes(sample), std::min(kLeadingAxes, sample.cols()));
}

PrincipalRotation::PrincipalRotation(ConstMatrixView sample, std::size_t span_length, const EncodeKernel& kernel) {
  const std::size_t n = sample.cols();
  const Eigen eigen = principal_axes(sample);
  rotation_ = axes_as_rows(eigen, n);
  leading_ = Matrix::copy_of(rotation_.view().slice(0, std::min(kLeadingAxes, n)));

  std::vector<float> column(span_length);
  for (std::size_t begin = 0; begin < n; begin += span_length) {
    const std::size_t length = std::min(span_length, n - begin);
    double square = 0;
    for (std::size_t i = begin; i < begin + length; ++i) square += std::max(0.0, eigen.values[n - 1 - i]);
    span_sizes_.push_back(std::sqrt(square / static_cast<double>(length * std::max<std::size_t>(1, sample.rows()))));
    const HadamardRotation mix(length, kernel);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < length; ++i) column[i] = rotation_(begin + i, j);
      mix.apply(column.data());
      for (std::size_t i = 0; i < length; ++i) rotation_(begin + i, j) = column[i];
    }
  }
  const double terms = static_cast<double>(n) + 2;
  error_ = deviation(rotation_) + terms * kFloatRoundoff / (1 - terms * kFloatRoundoff) * absolute_norm(rotation_);
}

void PrincipalRotation::apply(ConstMatrixView rows, MatrixView result) const {
  multiply_abt_into(rows, rotation_, result);
}

}  // namespace wordbridge
