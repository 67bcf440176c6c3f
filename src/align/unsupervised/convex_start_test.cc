#include "align/unsupervised/convex_start.h"

#include <gtest/gtest.h>

#include "align/recovery_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::convex_start_test {
namespace {

TEST(ConvexStart, IsFarAboveChance) {
  const HiddenRotation problem = hidden_rotation(300, 20, 0.01, 4);
  const MatrixD w = convex_start(problem.source.table(), problem.target.table(), {.steps = 30, .regularization = 2});
  EXPECT_GT(problem.recovered(to_float(w)), 0.5);  // chance is 1/300
}

TEST(ConvexStart, HardlyDependsOnTheOrderOfTheWords) {
  const HiddenRotation problem = hidden_rotation(80, 6, 0.01, 5);
  const ConvexStartOptions options{.steps = 10, .regularization = 4};
  Matrix turned = Matrix::uninitialized(80, 6);
  for (std::size_t i = 0; i < 80; ++i) std::ranges::copy(problem.target.table().row(79 - i), turned.row(i).begin());
  const MatrixD w = convex_start(problem.source.table(), problem.target.table(), options);
  EXPECT_LT(largest_difference(to_float(convex_start(problem.source.table(), turned, options)), to_float(w)), 1e-2);
}

TEST(ConvexStart, AnotherDimensionOfTheTargetsGivesOrthonormalColumns) {
  const Matrix x = random_matrix(60, 5, 1), y = random_matrix(60, 8, 2);
  const MatrixD w = convex_start(x, y);
  EXPECT_EQ(w.rows(), 8u);
  EXPECT_EQ(w.cols(), 5u);
  EXPECT_LT(largest_difference(to_float(multiply_atb(w.view(), w.view())), Matrix::identity(5)), 1e-5);
}

}  // namespace
}  // namespace wordbridge::convex_start_test
