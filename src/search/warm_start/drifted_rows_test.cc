#include "search/warm_start/drifted_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::drifted_rows_test {
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

/// What the search makes of a step: the moves and, where there are directions, the rows.
struct Step {
  Step(const Matrix& table, const Matrix& before, const Matrix& now, std::size_t most, const ScoreKernel& kernel)
      : measures(table), directions(principal_drift(differences(now, before), most)), moves(now.rows()) {
    if (!measures.can_be_projected(directions)) directions = {};
    const std::vector<double> outside(now.rows(), 0.1);
    drift_moves(measures, directions, now, before, outside, moves);
    std::array<float, DriftMove::kWidth> typical{};
    for (const DriftMove& move : moves)
      if (move.valid)
        for (std::size_t j = 0; j < typical.size(); ++j)
          typical[j] += move.coefficients[j] / static_cast<float>(moves.size());
    if (directions.count() > 0) rows.emplace(table, rows_not_zero(table), measures, directions, typical, kernel);
  }

  DriftTable measures;
  DriftDirections directions;
  std::vector<DriftMove> moves;
  std::optional<DriftedRows> rows;
};

/// The bound of every row and query holds, for every kind of table and move: no true neighbor can be lost.
TEST(DriftedRows, NoScoreIsAboveItsBound) {
  Random random(1);
  std::size_t valid = 0;
  for (const Kernels* kernels : tested_kernels())
    for (const Spread spread : all_spreads())
      for (const Move move : {Move::none, Move::shared, Move::any, Move::huge, Move::scaled, Move::back})
        for (const std::size_t most : {std::size_t{0}, std::size_t{3}, kMostDirections}) {
          const std::size_t d = 1 + random.index(40), n = 1 + random.index(200);
          const Matrix table = random_rows(spread, n, d, random.bits());
          const Matrix before = random_rows(spread, 8, d, random.bits()), now = moved(before, move, random);
          const Step step(table, before, now, most, *kernels->score);
          std::vector<std::uint32_t> ids = rows_not_zero(table);
          std::vector<float> drifts(ids.size());
          for (std::size_t i = 0; i < now.rows(); ++i) {
            const DriftMove& drift = step.moves[i];
            if (!drift.valid) continue;
            ++valid;
            if (step.rows)
              step.rows->products(drift, ids, drifts);
            else
              std::fill(drifts.begin(), drifts.end(),
                        static_cast<float>(drift.coefficients.back() * step.measures.largest_norm * (1 + 1e-6)));
            for (std::size_t r = 0; r < ids.size(); ++r) {
              const float* row = table.row(ids[r]).data();
              const double old_score = exact_score(before.row(i).data(), row, d);
              const double score = exact_score(now.row(i).data(), row, d);
              if (!std::isfinite(old_score)) continue;
              EXPECT_LE(score, drift.upper_bound(old_score, double{drifts[r]}))
                  << name_of(spread) << " " << static_cast<int>(move) << " " << n << " x " << d << ", m " << most;
            }
          }
        }
  EXPECT_GT(valid, 1000u);
}

/// Blocks prune only what does not reach the threshold.
TEST(DriftedRows, FindsAllThatReach) {
  Random random(2);
  for (const Spread spread : all_spreads())
    for (const Move move : {Move::shared, Move::any, Move::scaled}) {
      const std::size_t d = 2 + random.index(40), n = 1 + random.index(1500);
      const Matrix table = random_rows(spread, n, d, random.bits());
      const Matrix before = random_rows(spread, 20, d, random.bits()), now = moved(before, move, random);
      const Step step(table, before, now, kMostDirections, *tested_kernels().front()->score);
      if (!step.rows) continue;
      const std::vector<std::uint32_t> ids = rows_not_zero(table);
      std::vector<float> drifts(ids.size());
      for (const DriftMove& drift : step.moves) {
        if (!drift.valid) continue;
        step.rows->products(drift, ids, drifts);
        std::vector<float> sorted = drifts;
        std::sort(sorted.begin(), sorted.end());
        for (const double threshold : {double{sorted.front()}, double{sorted[sorted.size() / 2]}, double{sorted.back()},
                                       double{sorted.back()} + 1e-3}) {
          std::vector<DriftedRows::Reaching> found;
          std::size_t visited = 0, expected = 0;
          ASSERT_TRUE(step.rows->find_reaching(drift, threshold, n, found, visited));
          EXPECT_LE(found.size(), visited);
          std::map<std::uint32_t, float> products;
          for (const auto& row : found) EXPECT_TRUE(products.emplace(row.id, row.product).second);
          for (std::size_t r = 0; r < ids.size(); ++r)
            if (double{drifts[r]} >= threshold) {
              ++expected;
              EXPECT_EQ(products.count(ids[r]), 1u) << name_of(spread) << " " << n << " x " << d;
            }
          // The threshold is rounded down to a float.
          for (const auto& row : found) EXPECT_GE(row.product, float_below(threshold));
          EXPECT_GE(found.size(), expected);
          expected = found.size();
          found.clear();
          if (expected > 1) {
            EXPECT_FALSE(step.rows->find_reaching(drift, threshold, expected - 1, found, visited));
          }
        }
      }
    }
}

/// Where all queries move together, what is outside a margin is pruned in blocks.
TEST(DriftedRows, SharedMovesPruneNearlyAllBlocks) {
  Random random(3);
  Matrix table = random_rows(Spread::kGaussian, 20'000, 40, 4), before = random_rows(Spread::kGaussian, 50, 40, 5);
  for (float& value : table.elements()) value *= 0.15f;
  for (float& value : before.elements()) value *= 0.15f;
  Matrix now = before;
  for (std::size_t i = 0; i < now.rows(); ++i) {
    now(i, 3) += 0.3f;
    for (float& value : now.row(i)) value += static_cast<float>(0.001 * random.normal());
  }
  const Step step(table, before, now, kMostDirections, *tested_kernels().front()->score);
  ASSERT_TRUE(step.rows);
  std::size_t visited = 0;
  for (const DriftMove& drift : step.moves) {
    std::vector<DriftedRows::Reaching> found;
    ASSERT_TRUE(drift.valid);
    EXPECT_LT(drift.coefficients.back(), 0.02f);
    EXPECT_TRUE(step.rows->find_reaching(drift, 0.15, 20'000, found, visited));
  }
  EXPECT_LT(visited, 50u * 20'000 / 20);
}

}  // namespace
}  // namespace wordbridge::drifted_rows_test
