#include "linalg/random_map_test_support.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace wordbridge {

MatrixD random_map(std::size_t rows, std::size_t cols, double scale, std::uint64_t seed) {
  Random random(seed);
  MatrixD m(rows, cols);
  for (double& value : m.elements()) value = scale * random.normal();
  return m;
}

double largest_difference(ConstMatrixViewD a, ConstMatrixViewD b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) {
      const double difference = std::abs(a(i, j) - b(i, j));
      if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, difference);
    }
  return largest;
}

double distance(ConstMatrixViewD a, ConstMatrixViewD b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) sum += (a(i, j) - b(i, j)) * (a(i, j) - b(i, j));
  return std::sqrt(sum);
}

}  // namespace wordbridge
