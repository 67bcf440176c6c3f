#include "align/unsupervised/principal_axes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::principal_axes_test {
namespace {

TEST(PrincipalAxes, FindTheAxisOfPointsOnALine) {
  // (1, 2), (2, 4), (3, 6): centered they lie along (1, 2)/sqrt(5) at -sqrt(5), 0, sqrt(5); mean square 10/3.
  Matrix rows(3, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    rows(i, 0) = static_cast<float>(i + 1);
    rows(i, 1) = static_cast<float>(2 * (i + 1));
  }
  const PrincipalAxes result = principal_axes(rows, 1);
  ASSERT_EQ(result.points.cols(), 1u);
  EXPECT_NEAR(std::abs(result.axes(0, 0)), 1 / std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(result.axes(0, 1) / result.axes(0, 0), 2, 1e-5);
  EXPECT_NEAR(std::abs(result.points(0, 0)), std::sqrt(1.5), 1e-5);
  EXPECT_NEAR(result.points(1, 0), 0, 1e-6);
  EXPECT_NEAR(result.points(0, 0), -result.points(2, 0), 1e-5);
}

TEST(PrincipalAxes, DescendInVarianceAndAreOrthonormal) {
  const PrincipalAxes result = principal_axes(random_matrix(200, 8, 1), 5);
  EXPECT_LT(largest_difference(to_float(multiply_abt(result.axes, result.axes)), Matrix::identity(5)), 1e-6);
  const MatrixD moments = multiply_atb(result.points.view(), result.points.view());
  double total = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    total += moments(i, i) / 200;
    if (i > 0) {
      EXPECT_LE(moments(i, i), moments(i - 1, i - 1) + 1e-9);
    }
    for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(moments(i, j), 0, 1e-3);
  }
  EXPECT_NEAR(total, 1, 1e-5);
}

TEST(PrincipalAxes, NoMoreThanThereAreDimensions) {
  EXPECT_EQ(principal_axes(random_matrix(10, 3, 1), 50).points.cols(), 3u);
}

}  // namespace
}  // namespace wordbridge::principal_axes_test
