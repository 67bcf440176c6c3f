#include "align/unsupervised/principal_axes.h"

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"
#include "linalg/lapack.h"

namespace wordbridge {

PrincipalAxes principal_axes(ConstMatrixView rows, std::size_t dimensions) {
  const std::size_t n = rows.rows(), d = rows.cols(), p = std::min(dimensions, d);
  std::vector<double> mean(d, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) mean[j] += rows(i, j);
  Matrix centered = Matrix::copy_of(rows);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      centered(i, j) = static_cast<float>(rows(i, j) - mean[j] / static_cast<double>(n));

  const Eigen eigen = symmetric_eigen(multiply_atb(centered.view(), centered.view()));
  PrincipalAxes result{{}, MatrixD(p, d)};
  for (std::size_t axis = 0; axis < p; ++axis)
    for (std::size_t j = 0; j < d; ++j) result.axes(axis, j) = eigen.vectors(j, d - 1 - axis);
  result.points = multiply_abt(centered, to_float(result.axes));

  double square = 0;
  for (const float value : result.points.elements()) square += static_cast<double>(value) * value;
  if (square > 0) {
    const double scale = std::sqrt(static_cast<double>(n) / square);
    for (float& value : result.points.elements()) value = static_cast<float>(value * scale);
  }
  return result;
}

}  // namespace wordbridge
