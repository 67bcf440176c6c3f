#include "search/warm_start/drift_extents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::drift_extents_test {
namespace {

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
}  // namespace wordbridge::drift_extents_test
