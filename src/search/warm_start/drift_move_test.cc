#include "search/warm_start/drift_move.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wordbridge::drift_move_test {
namespace {

// Bounds over all kinds of tables and moves: drift_extents_test.cc.

Matrix one_row(std::initializer_list<float> values) {
  Matrix row(1, values.size());
  std::copy(values.begin(), values.end(), row.data());
  return row;
}

DriftMove move_of(const Matrix& table, const DriftDirections& directions, const Matrix& now, const Matrix& before,
                  double score = 0) {
  DriftMove result;
  drift_moves(DriftTable(table), directions, now, before, std::span(&score, 1), std::span(&result, 1));
  return result;
}

TEST(DriftMove, ByHand) {
  const Matrix table = one_row({0.6f, 0.8f, 0});
  // Along the direction by 0.5; across by 0.25.
  const DriftMove move =
      move_of(table, DriftDirections(one_row({0, 0, 1})), one_row({1, 0.25f, 0.5f}), one_row({1, 0, 0}));
  ASSERT_TRUE(move.valid);
  EXPECT_NEAR(move.alpha, 1, 1e-6);
  EXPECT_NEAR(move.common[0], 0.5, 1e-6);
  EXPECT_NEAR(move.rest, 0.25, 1e-6);
  EXPECT_LT(move.slack, 1e-5);
}

TEST(DriftMove, AQueryThatStoodStill) {
  const Matrix table = one_row({0.6f, 0.8f}), query = one_row({0.3f, -0.7f});
  for (const DriftDirections& directions : {DriftDirections(), DriftDirections(one_row({0, 1}))}) {
    const DriftMove move = move_of(table, directions, query, query);
    ASSERT_TRUE(move.valid);
    EXPECT_EQ(move.alpha, 1);
    for (const float value : move.common) EXPECT_NEAR(value, 0, 1e-6);
    EXPECT_NEAR(move.rest, 0, 1e-6);
  }
}

TEST(DriftMove, NothingIsKnown) {
  const Matrix table = one_row({1, 0});
  EXPECT_FALSE(move_of(table, {}, one_row({1, 0}), one_row({0, 0})).valid);          // no direction to start from
  EXPECT_FALSE(move_of(table, {}, one_row({-1, 0}), one_row({1, 0})).valid);         // alpha would be negative
  EXPECT_FALSE(move_of(table, {}, one_row({1e38f, 1e38f}), one_row({1, 0})).valid);  // scores may overflow
}

TEST(DriftTable, NormsAndMean) {
  Matrix table(3, 2);
  table(0, 0) = 3;
  table(0, 1) = 4;
  table(2, 1) = 2;
  const DriftTable measures(table);
  EXPECT_NEAR(measures.largest_norm, 5, 1e-9);
  EXPECT_GE(measures.norms[0], 5.0f);
  EXPECT_EQ(measures.norms[1], 0.0f);
  EXPECT_NEAR(measures.mean[0], 1, 1e-12);
  EXPECT_NEAR(measures.mean[1], 2, 1e-12);
  EXPECT_TRUE(measures.can_be_projected(DriftDirections(one_row({0, 1}))));
  EXPECT_FALSE(measures.can_be_projected(DriftDirections(one_row({1, 1}))));  // not of unit length
}

}  // namespace
}  // namespace wordbridge::drift_move_test
