#include "align/unsupervised/unsupervised_criterion.h"

#include <gtest/gtest.h>

#include "align/recovery_test_support.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::unsupervised_criterion_test {
namespace {

/// Procrustes on the true partners.
MatrixD truth(const HiddenRotation& problem) {
  Matrix partners = Matrix::uninitialized(problem.partner.size(), problem.target.dimension());
  for (std::size_t i = 0; i < problem.partner.size(); ++i)
    std::ranges::copy(problem.target.table().row(problem.partner[i]), partners.row(i).begin());
  return nearest_orthogonal(multiply_atb(partners.view(), problem.source.table().view()));
}

TEST(UnsupervisedCriterion, IsOneWhereEveryWordMeetsItself) {
  Matrix table(4, 3);
  table(0, 0) = table(1, 1) = table(2, 2) = 1;
  table(3, 0) = -1;
  // CSLS with k = 1: each word's best is itself, at cosine 1.
  const UnsupervisedCriterion criterion(table, table, 10, 1);
  EXPECT_NEAR(criterion.score(MatrixD::identity(3)), 1, 1e-6);
}

TEST(UnsupervisedCriterion, LooksAtTheFrequentWordsOnly) {
  Matrix source(4, 2), target(4, 2);
  source(0, 0) = source(1, 1) = target(0, 0) = target(1, 1) = 1;
  source(2, 0) = source(3, 1) = target(2, 1) = target(3, 0) = -1;
  source(3, 1) = 0.5f;
  const UnsupervisedCriterion two(source, target, 2, 1);
  EXPECT_NEAR(two.score(MatrixD::identity(2)), 1, 1e-6);
}

TEST(UnsupervisedCriterion, HeldOutPairsTellTheTruthFromAFit) {
  const HiddenRotation problem = hidden_rotation(600, 30, 0.1, 3, true);
  const UnsupervisedCriterion criterion(problem.source.table(), problem.target.table());
  const MatrixD right = truth(problem), wrong = criterion.refined(to_double(random_orthogonal(30, 30, 7)), 5);
  EXPECT_LT(problem.recovered(to_float(wrong)), 0.05);
  EXPECT_GT(criterion.score(right), criterion.score(wrong));
  EXPECT_GT(criterion.held_out_agreement(right), 0.9);
  const double chance = criterion.chance_agreement(5, 1);
  EXPECT_LT(chance, 0.8);
  EXPECT_GT(evidence(criterion.held_out_agreement(right), chance), 0.7);
  EXPECT_LT(evidence(criterion.held_out_agreement(wrong), chance), 0.2);
}

TEST(Evidence, RunsFromChanceToCertainty) {
  EXPECT_DOUBLE_EQ(evidence(0.25, 0.25), 0);
  EXPECT_DOUBLE_EQ(evidence(1, 0.25), 1);
  EXPECT_DOUBLE_EQ(evidence(0.4, 0.25), 0.2);
  EXPECT_LT(evidence(0.2, 0.25), 0);
}

TEST(UnsupervisedCriterion, OnePairPredictsNothing) {
  Matrix table(1, 2);
  table(0, 0) = 1;
  EXPECT_EQ(UnsupervisedCriterion(table, table).held_out_agreement(MatrixD::identity(2)), 0);
}

TEST(UnsupervisedCriterion, RefinementImprovesARoughMap) {
  const HiddenRotation problem = hidden_rotation(400, 20, 0.02, 4);
  const UnsupervisedCriterion criterion(problem.source.table(), problem.target.table());
  MatrixD rough = truth(problem);
  const Matrix disturbance = random_matrix(20, 20, 9);
  for (std::size_t i = 0; i < rough.size(); ++i) rough.data()[i] += 0.1 * disturbance.data()[i];
  rough = nearest_orthogonal(rough);
  const MatrixD refined = criterion.refined(rough, 5);
  EXPECT_GT(criterion.score(refined), criterion.score(rough));
  EXPECT_GT(problem.recovered(to_float(refined)), problem.recovered(to_float(rough)));
}

}  // namespace
}  // namespace wordbridge::unsupervised_criterion_test
