#include "linalg/random_matrix_test_support.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "linalg/lapack.h"

namespace wordbridge {

Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, cols);
  for (float& value : matrix.elements()) value = static_cast<float>(random.normal());
  return matrix;
}

Matrix random_unit_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix matrix = random_matrix(rows, cols, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    double square = 0;
    for (const float value : matrix.row(i)) square += static_cast<double>(value) * value;
    for (float& value : matrix.row(i)) value = static_cast<float>(value / std::sqrt(square));
  }
  return matrix;
}

Matrix random_orthogonal(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  return to_float(nearest_orthogonal(to_double(random_matrix(rows, cols, seed))));
}

double largest_difference(ConstMatrixView a, ConstMatrixView b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j)
      largest = std::max(largest, std::abs(static_cast<double>(a(i, j)) - b(i, j)));
  return largest;
}

}  // namespace wordbridge
