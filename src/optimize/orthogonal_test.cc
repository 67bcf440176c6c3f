#include "optimize/orthogonal.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/blas.h"
#include "linalg/random_map_test_support.h"

namespace wordbridge::orthogonal_test {
namespace {

struct Shape {
  std::size_t rows, cols;
};

TEST(OrthogonalTest, RowsOrColumnsAreOrthonormal) {
  for (const Shape shape : {Shape{30, 30}, Shape{12, 30}, Shape{30, 12}}) {
    const MatrixD w = OrthogonalConstraint().project(random_map(shape.rows, shape.cols, 5, 4));
    const MatrixD gram = shape.rows <= shape.cols ? multiply_abt(w, w) : multiply_atb(w, w);
    EXPECT_LT(largest_difference(gram, MatrixD::identity(std::min(shape.rows, shape.cols))), 1e-12);
  }
}

}  // namespace
}  // namespace wordbridge::orthogonal_test
