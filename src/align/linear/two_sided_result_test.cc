#include "align/linear/two_sided_result.h"

#include <gtest/gtest.h>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::two_sided_result_test {
namespace {

TEST(TwoSidedResult, MeasuresTheFitInTheCommonSpace) {
  // y = R x, mapped back by V = R^T: the sides meet exactly.
  const Matrix x = random_unit_rows(20, 5, 1), rotation = random_orthogonal(5, 5, 2);
  const AlignmentResult result =
      two_sided_result({x, multiply_abt(x, rotation)}, Matrix::identity(5), transpose(rotation));
  EXPECT_NEAR(result.metrics.at("mean_cosine"), 1, 1e-5);
  EXPECT_NEAR(result.metrics.at("relative_error"), 0, 1e-5);
  EXPECT_EQ(result.metrics.at("pairs"), 20);
  EXPECT_EQ(result.target_map, transpose(rotation));
}

}  // namespace
}  // namespace wordbridge::two_sided_result_test
