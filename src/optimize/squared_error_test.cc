#include "optimize/squared_error.h"

#include <gtest/gtest.h>

#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/random_map_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "optimize/objective_test_support.h"

namespace wordbridge::squared_error_test {
namespace {

TEST(SquaredErrorTest, KnownAnswer) {
  // One dimension, W = 3: (3·1 − 2)² + (3·1 − 4)² + (3·2 − 2)² = 1 + 1 + 16.
  Matrix source(2, 1), target(2, 1);
  source(0, 0) = 1;
  source(1, 0) = 2;
  target(0, 0) = 2;
  target(1, 0) = 4;
  SquaredError objective(TrainingPairs(source, target, std::vector<Lexicon::Pair>{{0, 0}, {0, 1}, {1, 0}}));
  MatrixD w(1, 1);
  w(0, 0) = 3;
  const ObjectiveValue value = objective.evaluate(w);
  EXPECT_EQ(value.loss_sum, 18);
  EXPECT_EQ(value.pairs, 3);
  // 2 (1·1 − 1·1 + 4·2)
  EXPECT_EQ(value.gradient_sum(0, 0), 16);
  EXPECT_EQ(objective.evaluate_batch(w, std::vector<std::size_t>{2}).loss_sum, 16);
}

TEST(SquaredErrorTest, WeightsCountPairs) {
  Matrix source(2, 1), target(2, 1);
  source(0, 0) = 1;
  source(1, 0) = 2;
  target(0, 0) = 2;
  target(1, 0) = 4;
  SquaredError objective(
      TrainingPairs(source, target, std::vector<Lexicon::Pair>{{0, 0, 0.5}, {0, 1, 2}, {1, 0, 0.25}}));
  MatrixD w(1, 1);
  w(0, 0) = 3;
  // 0.5 · 1 + 2 · 1 + 0.25 · 16, and 2 (0.5 · 1 · 1 − 2 · 1 · 1 + 0.25 · 4 · 2).
  const ObjectiveValue value = objective.evaluate(w);
  EXPECT_EQ(value.loss_sum, 6.5);
  EXPECT_EQ(value.pairs, 2.75);
  EXPECT_EQ(value.gradient_sum(0, 0), 1);
}

TEST(SquaredErrorTest, GradientIsTheDerivative) {
  const Matrix source = random_unit_rows(30, 7, 1), target = random_unit_rows(40, 5, 2);
  SquaredError objective(TrainingPairs(source, target, with_random_weights(random_pairs(60, 30, 40, 3), 6)));
  const MatrixD w = random_map(5, 7, 1, 4);
  EXPECT_LT(gradient_error([&](ConstMatrixViewD at) { return objective.evaluate(at); }, w, 1e-4, 5), 1e-9);
}

TEST(SquaredErrorTest, GradientVanishesAtTheLeastSquaresSolution) {
  const Matrix source = random_unit_rows(50, 6, 1), target = random_unit_rows(50, 4, 2);
  const std::vector<Lexicon::Pair> pairs = random_pairs(80, 50, 50, 3);
  MatrixD x(pairs.size(), 6), y(pairs.size(), 4);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::copy_n(source.row(pairs[i].source).data(), 6, x.row(i).data());
    std::copy_n(target.row(pairs[i].target).data(), 4, y.row(i).data());
  }
  SquaredError objective(TrainingPairs(source, target, pairs));
  const ObjectiveValue value = objective.evaluate(transpose(solve_least_squares(x, y)));
  EXPECT_LT(largest_difference(value.gradient_sum, MatrixD(4, 6)), 1e-10);
}

TEST(SquaredErrorTest, ShardsAddUp) {
  const Matrix source = random_unit_rows(30, 6, 1), target = random_unit_rows(30, 6, 2);
  SquaredError objective(TrainingPairs(source, target, random_pairs(40, 30, 30, 3)));
  const MatrixD w = random_map(6, 6, 1, 4);
  std::vector<std::size_t> even, odd;
  for (std::size_t i = 0; i < 40; ++i) (i % 2 == 0 ? even : odd).push_back(i);
  const ObjectiveValue all = objective.evaluate(w), first = objective.evaluate_batch(w, even),
                       second = objective.evaluate_batch(w, odd);
  EXPECT_NEAR(all.loss_sum, first.loss_sum + second.loss_sum, 1e-10);
  MatrixD sum = first.gradient_sum;
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += second.gradient_sum.data()[i];
  EXPECT_LT(largest_difference(all.gradient_sum, sum), 1e-10);
}

}  // namespace
}  // namespace wordbridge::squared_error_test
