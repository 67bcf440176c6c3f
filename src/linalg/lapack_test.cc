#include "linalg/lapack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::lapack_test {

namespace {

MatrixD random_d(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  return to_double(random_matrix(rows, cols, seed));
}

void expect_close(const MatrixD& a, const MatrixD& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) ASSERT_NEAR(a(i, j), b(i, j), tolerance) << i << "," << j;
}

MatrixD scaled_columns(MatrixD matrix, const std::vector<double>& scale) {
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j) matrix(i, j) *= scale[j];
  return matrix;
}

TEST(Svd, KnownAnswer) {
  // [3 0; 4 5] has the singular values 3 sqrt(5) and sqrt(5).
  MatrixD a(2, 2);
  a(0, 0) = 3;
  a(1, 0) = 4;
  a(1, 1) = 5;
  const Svd found = svd(a);
  EXPECT_NEAR(found.s[0], 3 * std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(found.s[1], std::sqrt(5.0), 1e-14);
}

TEST(Svd, MultipliesBackForAllShapes) {
  std::uint64_t seed = 10;
  for (const auto& [m, n] : {std::pair{1, 1}, {1, 6}, {6, 1}, {5, 5}, {40, 7}, {7, 40}, {60, 60}}) {
    const MatrixD a = random_d(static_cast<std::size_t>(m), static_cast<std::size_t>(n), ++seed);
    const Svd found = svd(a);
    const std::size_t r = std::min(a.rows(), a.cols());
    ASSERT_EQ(found.u.rows(), a.rows());
    ASSERT_EQ(found.u.cols(), r);
    ASSERT_EQ(found.vt.rows(), r);
    ASSERT_EQ(found.vt.cols(), a.cols());
    EXPECT_TRUE(std::is_sorted(found.s.rbegin(), found.s.rend()));
    EXPECT_GE(found.s.back(), 0);
    expect_close(multiply_atb(found.u, found.u), MatrixD::identity(r), 1e-12);
    expect_close(multiply_abt(found.vt, found.vt), MatrixD::identity(r), 1e-12);
    expect_close(multiply(scaled_columns(found.u, found.s), found.vt), a, 1e-12);
  }
}

TEST(Svd, OfNothingAndOfNotANumber) {
  EXPECT_TRUE(svd(MatrixD(0, 3)).s.empty());
  MatrixD bad = random_d(4, 4, 1);
  bad(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(svd(bad), Error);
}

TEST(NearestOrthogonal, OfAScaledRotationIsTheRotation) {
  MatrixD a(2, 2);  // 5 times the rotation with cos 0.6, sin 0.8
  a(0, 0) = a(1, 1) = 3;
  a(0, 1) = -4;
  a(1, 0) = 4;
  const MatrixD q = nearest_orthogonal(a);
  EXPECT_NEAR(q(0, 0), 0.6, 1e-15);
  EXPECT_NEAR(q(0, 1), -0.8, 1e-15);
  EXPECT_NEAR(q(1, 0), 0.8, 1e-15);
}

TEST(NearestOrthogonal, NoOtherOrthogonalMatrixIsNearer) {
  const MatrixD a = random_d(6, 6, 30);
  const auto distance = [&](const MatrixD& q) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a.data()[i] - q.data()[i], 2);
    return sum;
  };
  const double best = distance(nearest_orthogonal(a));
  for (std::uint64_t seed = 31; seed < 60; ++seed) EXPECT_LE(best, distance(nearest_orthogonal(random_d(6, 6, seed))));
}

TEST(NearestOrthogonal, IsSemiOrthogonalWhereNotSquare) {
  const MatrixD wide = nearest_orthogonal(random_d(4, 9, 70));
  expect_close(multiply_abt(wide, wide), MatrixD::identity(4), 1e-12);
  const MatrixD tall = nearest_orthogonal(random_d(9, 4, 71));
  expect_close(multiply_atb(tall, tall), MatrixD::identity(4), 1e-12);
}

TEST(SymmetricEigen, KnownAnswerAndMultipliesBack) {
  MatrixD a(2, 2);  // [2 1; 1 2]: 1 and 3
  a(0, 0) = a(1, 1) = 2;
  a(0, 1) = a(1, 0) = 1;
  const Eigen small = symmetric_eigen(a);
  EXPECT_NEAR(small.values[0], 1, 1e-14);
  EXPECT_NEAR(small.values[1], 3, 1e-14);

  const MatrixD half = random_d(30, 12, 80);
  const MatrixD gram = multiply_atb(half, half);
  const Eigen found = symmetric_eigen(gram);
  EXPECT_TRUE(std::is_sorted(found.values.begin(), found.values.end()));
  expect_close(multiply_atb(found.vectors, found.vectors), MatrixD::identity(12), 1e-12);
  expect_close(multiply_abt(scaled_columns(found.vectors, found.values), found.vectors), gram, 1e-11);
  EXPECT_TRUE(symmetric_eigen(MatrixD()).values.empty());
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

}  // namespace wordbridge::lapack_test
