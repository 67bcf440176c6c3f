#include "hub/joint_learner.h"

#include <gtest/gtest.h>

#include "linalg/blas.h"
#include "linalg/random_map_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::joint_learner_test {

constexpr std::size_t kWords = 60, kDimension = 6;

/// Languages that are rotations Q_i of the same rows, so that W_i = Q_i^T brings all of them together.
struct Example {
  std::vector<MatrixD> rows, rotations;

  explicit Example(std::size_t languages, double noise = 0) {
    const MatrixD meanings = random_map(kWords, kDimension, 1, 1);
    for (std::size_t i = 0; i < languages; ++i) {
      rotations.push_back(i == 0 ? MatrixD::identity(kDimension)
                                 : to_double(random_orthogonal(kDimension, kDimension, i)));
      rows.push_back(multiply_abt(meanings, rotations.back()));
      const MatrixD errors = random_map(kWords, kDimension, noise, 50 + i);
      for (std::size_t k = 0; k < errors.size(); ++k) rows.back().data()[k] += errors.data()[k];
    }
  }
  JointTerm term(std::size_t one, std::size_t other) const {
    return {one, other, multiply_atb(rows[other], rows[one]), 1};
  }
};

TEST(JointRotations, RecoversPlantedRotations) {
  const Example example(4);
  const std::vector<std::size_t> dimensions(4, kDimension);
  // Language 3 has no term with the pivot, only with 2, which has.
  const std::vector<JointTerm> terms = {example.term(1, 0), example.term(2, 0), example.term(1, 2), example.term(3, 2)};
  const JointRotations result = joint_rotations(dimensions, 0, terms);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_LT(largest_difference(result.maps[i], transpose(example.rotations[i])), 1e-6) << i;
}

TEST(JointRotations, WithThePivotAloneItIsProcrustes) {
  const Example example(2, 0.3);
  const std::vector<JointTerm> terms = {example.term(1, 0)};
  const JointRotations result = joint_rotations(std::vector<std::size_t>{kDimension, kDimension}, 0, terms);
  const MatrixD w = result.maps[1], product = multiply_abt(w, w);
  EXPECT_LT(largest_difference(product, MatrixD::identity(kDimension)), 1e-9);
  // At the best rotation, W C^T is symmetric and positive.
  const MatrixD pulled = multiply_abt(w, terms[0].products);
  EXPECT_LT(largest_difference(pulled, transpose(pulled)), 1e-6);
}

TEST(JointRotations, TheSumNeverFalls) {
  for (const double noise : {0.2, 1.0}) {
    const Example example(4, noise);
    std::vector<JointTerm> terms;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j) terms.push_back(example.term(i, j));
    const JointRotations result = joint_rotations(std::vector<std::size_t>(4, kDimension), 0, terms);
    ASSERT_GE(result.sums.size(), 2u);
    for (std::size_t i = 1; i < result.sums.size(); ++i) EXPECT_GE(result.sums[i], result.sums[i - 1] * (1 - 1e-12));
    EXPECT_EQ(result.maps[0], MatrixD::identity(kDimension));
  }
}

TEST(JointRotations, OtherDimensions) {
  const Example example(3);
  JointTerm narrow{1, 0, random_map(kDimension, 4, 1, 9), 1}, wide{2, 1, random_map(4, 8, 1, 10), 0.5};
  const JointRotations result = joint_rotations(std::vector<std::size_t>{kDimension, 4, 8}, 0,
                                                std::vector<JointTerm>{std::move(narrow), std::move(wide)});
  EXPECT_EQ(result.maps[1].cols(), 4u);
  EXPECT_EQ(result.maps[2].cols(), 8u);
  EXPECT_EQ(result.maps[2].rows(), kDimension);
}

TEST(JointRotations, ALanguageWithoutAWayToThePivotIsRefused) {
  const Example example(4);
  const std::vector<JointTerm> terms = {example.term(1, 0), example.term(3, 2)};
  EXPECT_THROW(joint_rotations(std::vector<std::size_t>(4, kDimension), 0, terms), UsageError);
}

}  // namespace wordbridge::joint_learner_test
