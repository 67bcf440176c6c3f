#include "align/unsupervised/convex_start.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "align/unsupervised/sinkhorn.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

/// U S^(1/2) Vᵀ for rows U S Vᵀ, as rows times V S^(-1/2) Vᵀ.
Matrix square_root_spectrum(ConstMatrixView rows) {
  const Eigen eigen = symmetric_eigen(multiply_atb(rows, rows));
  const std::size_t d = rows.cols();
  const double negligible =
      eigen.values.back() * static_cast<double>(std::max(rows.rows(), d)) * std::numeric_limits<double>::epsilon();
  MatrixD scaled(d, d);
  for (std::size_t j = 0; j < d; ++j) {
    if (eigen.values[j] <= negligible) continue;
    const double factor = std::pow(eigen.values[j], -0.25);  // values are squares of singular values
    for (std::size_t i = 0; i < d; ++i) scaled(i, j) = eigen.vectors(i, j) * factor;
  }
  return multiply(rows, to_float(multiply_abt(scaled, eigen.vectors)));
}

double frobenius_norm(const MatrixD& m) {
  double square = 0;
  for (const double value : m.elements()) square += value * value;
  return std::sqrt(square);
}

double standard_deviation(const Matrix& m) {
  double sum = 0, squares = 0;
  for (const float value : m.elements()) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const double mean = sum / static_cast<double>(m.size());
  return std::sqrt(std::max(0.0, squares / static_cast<double>(m.size()) - mean * mean));
}

}  // namespace

MatrixD convex_start(ConstMatrixView x, ConstMatrixView y, const ConvexStartOptions& options) {
  assert(x.rows() == y.rows());
  Stage stage("convex start");
  const std::size_t n = x.rows();
  // The Gram matrices have rank d: with K_x = A Aᵀ and K_y = B Bᵀ the direction
  //   K_x² P + P K_y² - 2 K_x P K_y  =  A (AᵀA) (AᵀP)  +  [ (P B)(BᵀB) - 2 A (AᵀP B) ] Bᵀ
  // costs n² d instead of n³.
  const Matrix a = square_root_spectrum(x);
  Matrix b = square_root_spectrum(y);
  const MatrixD gram_a = multiply_atb(a.view(), a.view());
  scale(b, std::sqrt(frobenius_norm(gram_a) / frobenius_norm(multiply_atb(b.view(), b.view()))));
  const Matrix inner_a = to_float(gram_a), inner_b = to_float(multiply_atb(b.view(), b.view()));
  const Matrix a_transposed = transpose(a);
  const std::vector<double> ones(n, 1.0);
  Matrix p(n, n);
  std::fill_n(p.data(), p.size(), static_cast<float>(1.0 / static_cast<double>(n)));
  double regularization = 0;
  for (int t = 1; t <= options.steps; ++t) {
    const Matrix ap = multiply(a_transposed, p), pb = multiply(p, b);
    Matrix right = multiply(pb, inner_b);
    const Matrix twice = multiply(a, multiply(ap, b));
    for (std::size_t i = 0; i < right.size(); ++i) right.data()[i] -= 2 * twice.data()[i];
    Matrix direction = multiply_abt(right, b);
    const Matrix left = multiply(a, multiply(inner_a, ap));
    for (std::size_t i = 0; i < direction.size(); ++i) direction.data()[i] += left.data()[i];
    if (t == 1) regularization = std::max(options.regularization * standard_deviation(direction), 1e-9);
    const Transport corner = sinkhorn(direction, ones, ones, {.regularization = regularization});
    const float alpha = static_cast<float>(2.0 / (2.0 + t));
    for (std::size_t i = 0; i < p.size(); ++i) p.data()[i] += alpha * (corner.plan.data()[i] - p.data()[i]);
    stage.update(static_cast<std::uint64_t>(t), static_cast<std::uint64_t>(options.steps));
  }
  return nearest_orthogonal(multiply_atb(multiply(p, y).view(), x));
}

}  // namespace wordbridge
