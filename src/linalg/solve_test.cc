#include "linalg/solve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::solve_test {
namespace {

MatrixD random_d(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  return to_double(random_matrix(rows, cols, seed));
}

/// Aᵀ(A B − C) + ridge B, which is zero at the minimum and only there.
double largest_gradient(const MatrixD& a, const MatrixD& b, const MatrixD& c, double ridge) {
  MatrixD residual = multiply(a, b);
  for (std::size_t i = 0; i < residual.size(); ++i) residual.data()[i] -= c.data()[i];
  const MatrixD gradient = multiply_atb(a, residual);
  double largest = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i)
    largest = std::max(largest, std::abs(gradient.data()[i] + ridge * b.data()[i]));
  return largest;
}

TEST(SolveLeastSquares, KnownLine) {
  // The line through (0, 1), (1, 3), (2, 5), (3, 8): intercept 0.8, slope 2.3.
  MatrixD a(4, 2), c(4, 1);
  const double y[] = {1, 3, 5, 8};
  for (std::size_t i = 0; i < 4; ++i) {
    a(i, 0) = 1;
    a(i, 1) = static_cast<double>(i);
    c(i, 0) = y[i];
  }
  const MatrixD b = solve_least_squares(a, c);
  EXPECT_NEAR(b(0, 0), 0.8, 1e-12);
  EXPECT_NEAR(b(1, 0), 2.3, 1e-12);
}

TEST(SolveLeastSquares, RecoversWhatIsThere) {
  const MatrixD a = random_d(50, 8, 1), truth = random_d(8, 5, 2);
  const MatrixD b = solve_least_squares(a, multiply(a, truth));
  ASSERT_EQ(b.rows(), 8u);
  ASSERT_EQ(b.cols(), 5u);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(b.data()[i], truth.data()[i], 1e-12);
}

TEST(SolveLeastSquares, TheGradientVanishes) {
  std::uint64_t seed = 10;
  for (const double ridge : {0.0, 0.5, 100.0})
    for (const std::size_t m : {1, 4, 6, 30}) {
      const MatrixD a = random_d(m, 6, ++seed), c = random_d(m, 3, ++seed);
      EXPECT_LT(largest_gradient(a, solve_least_squares(a, c, ridge), c, ridge), 1e-11) << ridge << " " << m;
    }
}

TEST(SolveLeastSquares, RidgeKnownAnswer) {
  // One equation 2 b = 6: (4 + ridge) b = 12.
  MatrixD a(1, 1), c(1, 1);
  a(0, 0) = 2;
  c(0, 0) = 6;
  EXPECT_NEAR(solve_least_squares(a, c, 0)(0, 0), 3, 1e-14);
  EXPECT_NEAR(solve_least_squares(a, c, 2)(0, 0), 2, 1e-14);
}

TEST(SolveLeastSquares, TakesTheLeastNormWhereManySolve) {
  // b1 + b2 = 2 twice over, with two equal columns: (1, 1).
  MatrixD a(1, 2), c(1, 1);
  a(0, 0) = a(0, 1) = 1;
  c(0, 0) = 2;
  const MatrixD few = solve_least_squares(a, c);
  EXPECT_NEAR(few(0, 0), 1, 1e-14);
  EXPECT_NEAR(few(1, 0), 1, 1e-14);

  MatrixD dependent = random_d(20, 4, 5);
  for (std::size_t i = 0; i < 20; ++i) dependent(i, 3) = dependent(i, 1);
  const MatrixD b = solve_least_squares(dependent, random_d(20, 2, 6));
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(b(3, j), b(1, j), 1e-12);
}

TEST(SolveLeastSquares, EmptyShapes) {
  EXPECT_EQ(solve_least_squares(MatrixD(0, 3), MatrixD(0, 2)), MatrixD(3, 2));
  EXPECT_EQ(solve_least_squares(MatrixD(0, 3), MatrixD(0, 2), 1), MatrixD(3, 2));
  EXPECT_EQ(solve_least_squares(MatrixD(4, 0), MatrixD(4, 2)).rows(), 0u);
  EXPECT_EQ(solve_least_squares(MatrixD(4, 3), MatrixD(4, 0)).cols(), 0u);
}

}  // namespace
}  // namespace wordbridge::solve_test
