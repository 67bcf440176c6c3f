#include "search/warm_start/drift_directions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "wordbridge/error.h"

namespace wordbridge::drift_directions_test {
namespace {

MatrixD random_moves(std::size_t rows, std::size_t d, std::uint64_t seed) {
  Random random(seed);
  MatrixD moves(rows, d);
  for (double& value : moves.elements()) value = random.normal();
  return moves;
}

TEST(DriftDirections, TheSharedDirectionIsFound) {
  MatrixD moves = random_moves(50, 20, 1);
  for (double& value : moves.elements()) value *= 1e-3;
  for (std::size_t i = 0; i < moves.rows(); ++i) moves(i, 7) += 0.5;
  const DriftDirections drift = principal_drift(moves, 4);
  ASSERT_EQ(drift.count(), 4u);
  EXPECT_NEAR(std::fabs(drift.p(0, 7)), 1, 1e-4);
  EXPECT_LT(drift.deviation, 1e-5);
  EXPECT_NEAR(drift.norm, 2, 1e-5);
}

TEST(DriftDirections, AsManyAsTheMovesSpan) {
  EXPECT_EQ(principal_drift(random_moves(30, 3, 2), 15).count(), 3u);
  EXPECT_EQ(principal_drift(random_moves(2, 40, 3), 15).count(), 2u);
  EXPECT_EQ(principal_drift(random_moves(30, 40, 4), 99).count(), kMostDirections);
  MatrixD line(9, 6);
  for (std::size_t i = 0; i < 9; ++i) line(i, 2) = 1e-30 * static_cast<double>(i);
  EXPECT_EQ(principal_drift(line, 15).count(), 1u);
  EXPECT_EQ(principal_drift(MatrixD(9, 6), 15).count(), 0u);
  EXPECT_EQ(principal_drift(MatrixD(0, 6), 15).count(), 0u);
}

TEST(DriftDirections, DeviationsAreMeasured) {
  Matrix directions(2, 2);
  directions(0, 0) = 1;
  directions(1, 0) = 0.5;
  directions(1, 1) = 1;
  const DriftDirections drift(directions);  // P Pᵀ - I = (0 0.5; 0.5 0.25)
  EXPECT_NEAR(drift.deviation, 0.75, 1e-9);
  EXPECT_NEAR(drift.norm, 1.5, 1e-9);
  EXPECT_THROW(DriftDirections(Matrix(16, 20)), UsageError);
}

}  // namespace
}  // namespace wordbridge::drift_directions_test
