#include "align/rcsls/selection.h"

#include <gtest/gtest.h>

#include "optimize/constraint.h"

namespace wordbridge::selection_test {
namespace {

TEST(Selection, TakesTheBestRowAndOfEqualOnesTheFirst) {
  using Rows = std::vector<SelectionReport::Row>;
  const Rows rows = {{0, 0, 0, 50.0}, {1, 10, 1, std::nullopt}, {10, 10, 1, 60.0}, {25, 10, 1, 60.0}};
  EXPECT_EQ(best_row(rows), 2u);
  EXPECT_EQ(best_row(Rows{{0, 0, 0, std::nullopt}, {1, 10, 1, std::nullopt}}), 0u);
  EXPECT_EQ(best_row(Rows{{0, 0, 0, 5.0}, {1, 10, 1, 5.0}}), 0u);
}

TEST(Selection, BlendsBetweenStartAndEnd) {
  const auto free = make_constraint("none");
  MatrixD start(1, 2), end(1, 2);
  start(0, 0) = 1, start(0, 1) = 2, end(0, 0) = 3, end(0, 1) = -2;
  EXPECT_EQ(blend_maps(start, end, 0, *free), start);
  EXPECT_EQ(blend_maps(start, end, 1, *free), end);
  const MatrixD half = blend_maps(start, end, 0.5, *free);
  EXPECT_EQ(half(0, 0), 2);
  EXPECT_EQ(half(0, 1), 0);
}

TEST(Selection, ABlendStaysInTheSet) {
  // Halfway between I and -I lies 0, which is no rotation; the projection brings it back to one.
  const auto orthogonal = make_constraint("orthogonal");
  const MatrixD start = MatrixD::identity(2);
  MatrixD end(2, 2);
  end(0, 1) = 1, end(1, 0) = -1;
  const MatrixD blend = blend_maps(start, end, 0.5, *orthogonal);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(blend(i, 0) * blend(i, 0) + blend(i, 1) * blend(i, 1), 1, 1e-9);
}

}  // namespace
}  // namespace wordbridge::selection_test
