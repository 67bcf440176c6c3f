#include "search/warm_start/drift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::drift_test {

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

// Bounds over all kinds of tables and moves: those of DriftExtents.

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

enum class Move { none, shared, any, huge, scaled, back };

/// Queries that have moved in one of these ways.
Matrix moved(const Matrix& queries, Move move, Random& random) {
  Matrix result = queries;
  std::vector<double> common(queries.cols());
  for (double& value : common) value = random.normal();
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    double size = 0;
    for (const float value : queries.row(i)) size = std::max(size, double{std::fabs(value)});
    for (std::size_t j = 0; j < queries.cols(); ++j) {
      const double own = size * random.normal(), value = queries(i, j);
      const double shift = move == Move::shared ? 0.4 * size * common[j] + 0.01 * own
                           : move == Move::any  ? 0.1 * own
                           : move == Move::huge ? 5 * own
                                                : 0;
      result(i, j) = static_cast<float>(move == Move::scaled ? 3 * value : move == Move::back ? -value : value + shift);
    }
  }
  return result;
}

MatrixD differences(const Matrix& a, const Matrix& b) {
  MatrixD result(a.rows(), a.cols());
  for (std::size_t i = 0; i < a.size(); ++i) result.data()[i] = double{a.data()[i]} - double{b.data()[i]};
  return result;
}

/// The bound of every block and query holds, for every kind of table and move: no true neighbor can be lost.
TEST(DriftExtents, NoScoreIsAboveTheBoundOfItsBlock) {
  Random random(1);
  std::size_t valid = 0;
  for (const Spread spread : all_spreads())
    for (const Move move : {Move::none, Move::shared, Move::any, Move::huge, Move::scaled, Move::back})
      for (const std::size_t most : {std::size_t{0}, std::size_t{3}, kMostDirections})
        for (const std::size_t block_rows : {1u, 16u, 64u}) {
          const std::size_t d = 1 + random.index(40), n = 1 + random.index(200);
          const Matrix table = random_rows(spread, n, d, random.bits());
          const Matrix before = random_rows(spread, 8, d, random.bits()), now = moved(before, move, random);
          const DriftTable measures(table);
          DriftDirections directions = principal_drift(differences(now, before), most);
          if (!measures.can_be_projected(directions)) directions = {};
          std::vector<std::uint32_t> ids = rows_not_zero(table);
          random.shuffle(ids);
          std::vector<DriftMove> moves(now.rows());
          drift_moves(measures, directions, now, before, std::vector<double>(now.rows(), 0.1), moves);
          const DriftExtents extents(table, ids, block_rows, measures, directions);
          Matrix gains(now.rows(), extents.blocks());
          std::vector<double> slacks(now.rows());
          extents.gains(moves, gains, slacks);
          for (std::size_t i = 0; i < now.rows(); ++i) {
            if (!moves[i].valid) continue;
            ++valid;
            for (std::size_t r = 0; r < ids.size(); ++r) {
              const float* row = table.row(ids[r]).data();
              const double old_score = exact_score(before.row(i).data(), row, d);
              if (!std::isfinite(old_score)) continue;
              const double bound =
                  moves[i].alpha * old_score + double{gains(i, r / block_rows)} + moves[i].slack + slacks[i];
              EXPECT_LE(exact_score(now.row(i).data(), row, d), bound + 0x1.0p-40 * std::fabs(bound))
                  << name_of(spread) << " " << static_cast<int>(move) << " " << n << " x " << d << ", m " << most;
            }
          }
        }
  EXPECT_GT(valid, 1000u);
}

TEST(DriftExtents, ByHand) {
  // Two blocks of two rows; along the first axis they reach from -0.6 to 0.8, and from 0 to 1.
  Matrix table(4, 2), directions(1, 2), gains(2, 2);
  const float rows[4][2] = {{0.8f, 0.6f}, {-0.6f, 0.8f}, {0, 1}, {1, 0}};
  for (std::size_t i = 0; i < 4; ++i) std::copy_n(rows[i], 2, table.row(i).data());
  directions(0, 0) = 1;
  const DriftDirections along(directions);
  const DriftExtents extents(table, std::vector<std::uint32_t>{0, 1, 2, 3}, 2, DriftTable(table), along);
  ASSERT_EQ(extents.blocks(), 2u);
  std::vector<DriftMove> moves(2);
  moves[0].common[0] = 0.5f;
  moves[1].common[0] = -0.5f;
  moves[1].rest = 0.1f;
  std::vector<double> slacks(2);
  extents.gains(moves, gains, slacks);
  EXPECT_NEAR(gains(0, 0), 0.4, 1e-5);
  EXPECT_NEAR(gains(0, 1), 0.5, 1e-5);
  EXPECT_NEAR(gains(1, 0), 0.3 + 0.1 * 0.8, 1e-5);
  EXPECT_NEAR(gains(1, 1), 0.1, 1e-5);
  EXPECT_LT(slacks[0], 1e-5);
}

}  // namespace

}  // namespace wordbridge::drift_test
