#include "align/linear/smith.h"

#include <gtest/gtest.h>

#include "align/aligner_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::smith_test {
namespace {

TEST(Smith, WithoutCutBothSidesMeetAsUnderProcrustes) {
  const Matrix x = random_unit_rows(60, 8, 1), rotation = random_orthogonal(8, 8, 2);
  const WordVectors source = numbered_vectors(x), target = numbered_vectors(multiply_abt(x, rotation));
  const Lexicon lexicon = diagonal_lexicon(60);
  const AlignmentResult result = SmithAligner().solve({source, target, lexicon});
  ASSERT_TRUE(result.target_map.has_value());
  EXPECT_LT(largest_difference(multiply_abt(x, result.source_map), multiply_abt(target.table(), *result.target_map)),
            1e-5);
  // V and U are orthogonal: dot products within a language stay.
  EXPECT_LT(largest_difference(multiply_abt(result.source_map, result.source_map), Matrix::identity(8)), 1e-5);
}

TEST(Smith, KeepsTheLeadingDimensions) {
  // Worked by hand: YᵀX = diag(3, 1), so the axes are the coordinates in this order, up to a common sign.
  Matrix x(2, 2), y(2, 2);
  x(0, 0) = 1, x(1, 1) = 1;
  y(0, 0) = 3, y(1, 1) = 1;
  const WordVectors source = numbered_vectors(x), target = numbered_vectors(y);
  const Lexicon lexicon = diagonal_lexicon(2);
  const AlignmentResult result = SmithAligner({.dimensions = 1}).solve({source, target, lexicon});
  ASSERT_EQ(result.source_map.rows(), 1u);
  ASSERT_EQ(result.target_map->rows(), 1u);
  EXPECT_NEAR(result.source_map(0, 0) * (*result.target_map)(0, 0), 1, 1e-6);
  EXPECT_NEAR(result.source_map(0, 1), 0, 1e-6);
}

TEST(Smith, UnequalDimensionsMeetInTheSmaller) {
  const WordVectors source = numbered_vectors(random_unit_rows(40, 9, 3)),
                    target = numbered_vectors(random_unit_rows(40, 5, 4));
  const Lexicon lexicon = diagonal_lexicon(40);
  const AlignmentResult result = SmithAligner().solve({source, target, lexicon});
  EXPECT_EQ(result.source_map.rows(), 5u);
  EXPECT_EQ(result.source_map.cols(), 9u);
  EXPECT_EQ(result.target_map->rows(), 5u);
  EXPECT_EQ(result.target_map->cols(), 5u);
}

}  // namespace
}  // namespace wordbridge::smith_test
