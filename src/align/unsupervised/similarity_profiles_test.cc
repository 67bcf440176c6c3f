#include "align/unsupervised/similarity_profiles.h"

#include <gtest/gtest.h>

#include "align/recovery_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::similarity_profiles_test {
namespace {

TEST(SimilarityProfiles, OfTwoWordsByHand) {
  // Orthogonal rows of lengths 4 and 1: (X Xᵀ)^(1/2) = diag(4, 1), so the profiles are (4, 0) and (1, 0): of length 1
  // they are equal, and nothing is left after centering.
  Matrix x(2, 3);
  x(0, 0) = 4;
  x(1, 2) = 1;
  const Matrix profiles = similarity_profiles(x);
  EXPECT_LT(largest_difference(profiles, Matrix(2, 2)), 1e-6);
}

TEST(SimilarityProfiles, NeitherRotationsNorTheOrderMatter) {
  const Matrix x = random_matrix(40, 6, 1);
  const Matrix turned = multiply_abt(x, random_orthogonal(6, 6, 2));
  Matrix shuffled = Matrix::uninitialized(40, 6);
  for (std::size_t i = 0; i < 40; ++i) std::ranges::copy(turned.row(39 - i), shuffled.row(i).begin());
  const Matrix one = similarity_profiles(x), other = similarity_profiles(shuffled);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 40; ++j) EXPECT_NEAR(one(i, j), other(39 - i, j), 1e-4);
}

TEST(SimilarityProfiles, PairPartners) {
  const HiddenRotation problem = hidden_rotation(300, 20, 0.001, 3);
  const Lexicon pairs = pairs_by_profile(problem.source.table(), problem.target.table());
  std::size_t right = 0;
  for (const Lexicon::Pair& pair : pairs.pairs()) right += problem.partner[pair.source] == pair.target;
  EXPECT_GT(right, 250u);
}

}  // namespace
}  // namespace wordbridge::similarity_profiles_test
