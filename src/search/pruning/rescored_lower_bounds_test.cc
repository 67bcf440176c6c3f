#include "search/pruning/rescored_lower_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "search/brute_force_search.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::rescored_lower_bounds_test {
namespace {

constexpr float kUnknown = -std::numeric_limits<float>::infinity();

TEST(RescoredLowerBounds, AreReached) {
  std::uint64_t seed = 0;
  for (const Spread spread : all_spreads()) {
    const Matrix before = random_rows(spread, 60, 9, ++seed), now = random_rows(spread, 60, 9, ++seed);
    const Matrix rows = random_rows(spread, 90, 9, ++seed);
    for (const std::size_t k : {1, 4, 6}) {
      const Neighbors old = BruteForceSearch(rows).search(before, 6);
      if (old.found < k) continue;
      const Neighbors best = BruteForceSearch(rows).search(now, k);
      const std::vector<float> bounds = rescored_lower_bounds(now, rows, old, k);
      for (std::size_t i = 0; i < bounds.size(); ++i) EXPECT_LE(bounds[i], best.scores_of(i).back()) << name_of(spread);
    }
  }
}

// Of what has not moved, the bound is the k-th best score itself.
TEST(RescoredLowerBounds, AreExactWhereNothingMoved) {
  const Matrix queries = random_rows(Spread::kClustered, 40, 7, 1), rows = random_rows(Spread::kClustered, 80, 7, 2);
  const Neighbors old = BruteForceSearch(rows).search(queries, 8);
  const std::vector<float> bounds = rescored_lower_bounds(queries, rows, old, 5);
  for (std::size_t i = 0; i < bounds.size(); ++i) EXPECT_EQ(bounds[i], old.scores_of(i)[4]);
}

TEST(RescoredLowerBounds, UnknownWhereTheOldNeighborsDoNotFit) {
  const Matrix queries = random_rows(Spread::kClustered, 4, 7, 1);
  Matrix rows = random_rows(Spread::kClustered, 20, 7, 2);
  Neighbors old = BruteForceSearch(rows).search(queries, 3);
  EXPECT_EQ(rescored_lower_bounds(queries, rows, old, 4), std::vector<float>(4, kUnknown));
  EXPECT_EQ(rescored_lower_bounds(rows, rows, old, 3), std::vector<float>(20, kUnknown));
  std::ranges::fill(rows.row(old.ids[1]), 0.0f);  // zero rows are nobody's neighbors
  EXPECT_EQ(rescored_lower_bounds(queries, rows, old, 3)[0], kUnknown);
  old.ids[0] = 1000;
  EXPECT_EQ(rescored_lower_bounds(queries, rows, old, 2)[0], kUnknown);
}

}  // namespace
}  // namespace wordbridge::rescored_lower_bounds_test
