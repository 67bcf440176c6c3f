#include "align/unsupervised/closest_points.h"

#include <gtest/gtest.h>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::closest_points_test {
namespace {

TEST(ClosestPoints, ASmallTurnIsUndone) {
  const Matrix x = random_matrix(200, 3, 1);
  Matrix turn = Matrix::identity(3);
  turn(0, 0) = turn(1, 1) = 0.995f;
  turn(0, 1) = -0.0998f;
  turn(1, 0) = 0.0998f;
  const Matrix y = multiply_abt(x, turn);
  const ClosestPoints clouds(x, y, 0.1);
  const BothWays end = clouds.run({MatrixD::identity(3), MatrixD::identity(3)}, 20, 1000, 1);
  EXPECT_LT(largest_difference(to_float(end.forward), turn), 0.01);
  EXPECT_LT(largest_difference(to_float(multiply(end.backward, end.forward)), Matrix::identity(3)), 0.01);
  EXPECT_LT(end.error, 1e-3);
  const auto pairs = clouds.mutual_pairs(end);
  ASSERT_EQ(pairs.size(), 200u);
  for (const auto& pair : pairs) EXPECT_EQ(pair.source, pair.target);
}

TEST(ClosestPoints, TheErrorIsThatOfBothDirections) {
  // One point each: the maps fit them exactly but for the cycle terms, which agree.
  Matrix x(1, 1), y(1, 1);
  x(0, 0) = 1;
  y(0, 0) = 2;
  const BothWays end = ClosestPoints(x, y, 0.1).run({MatrixD::identity(1), MatrixD::identity(1)}, 40, 10, 1);
  EXPECT_NEAR(end.forward(0, 0), 2, 0.05);
  EXPECT_NEAR(end.backward(0, 0), 0.5, 0.05);
  EXPECT_LT(end.error, 0.02);
}

}  // namespace
}  // namespace wordbridge::closest_points_test
