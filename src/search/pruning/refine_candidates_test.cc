#include "search/pruning/refine_candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "search/brute_force_search_test_support.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::refine_candidates_test {

namespace {

TEST(VisitPrefetched, InOrderUntilTold) {
  const std::vector<float> rows(20 * 3);
  for (const std::size_t count : {0, 1, 5, 6, 7, 20})
    for (const std::size_t last : {0, 3, 19, 100}) {
      std::vector<std::size_t> visited, asked;
      visit_prefetched(
          count, 3,
          [&](std::size_t i) {
            asked.push_back(i);
            return i % 2 == 0 ? rows.data() + 3 * i : nullptr;
          },
          [&](std::size_t i) {
            visited.push_back(i);
            return i != last;
          });
      ASSERT_EQ(visited.size(), std::min(count, last + 1));
      for (std::size_t i = 0; i < visited.size(); ++i) EXPECT_EQ(visited[i], i);
      // Every vector once, before its visit, and none that is not there.
      ASSERT_GE(asked.size(), visited.size());
      ASSERT_LE(asked.size(), count);
      for (std::size_t i = 0; i < asked.size(); ++i) EXPECT_EQ(asked[i], i);
    }
}

TEST(Prune, KeepsWhatReachesTheLowerBound) {
  std::vector<RowCandidate> candidates = {{3, 0}, {1, 1}, {2, 2}, {1.5f, 3}};
  ASSERT_EQ(prune(candidates, 2), 2u);
  EXPECT_EQ(candidates[0].row, 0u);
  EXPECT_EQ(candidates[1].row, 2u);  // just reaches it
  EXPECT_EQ(prune({}, 2), 0u);
}

TEST(Refine, BestBoundFirstUntilNoneReachesTheLowerBound) {
  std::vector<RowCandidate> candidates = {{3, 0}, {9, 1}, {7, 2}, {5, 3}, {5, 4}};
  const std::vector<float> scores = {3, 5, 4, 1, 2}, rows(5);
  float best = -1;
  std::vector<std::uint32_t> scored;
  refine(
      std::span(candidates), 1, [&](const RowCandidate& candidate) { return rows.data() + candidate.row; },
      [&] { return best; },
      [&](const RowCandidate& candidate) {
        scored.push_back(candidate.row);
        best = std::max(best, scores[candidate.row]);
      });
  // A bound that ties with the best score is still worth a score, which may tie with a lower id.
  ASSERT_EQ(scored.size(), 4u);
  EXPECT_EQ(scored[0], 1u);
  EXPECT_EQ(scored[1], 2u);
  EXPECT_THAT(std::vector(scored.begin() + 2, scored.end()), testing::UnorderedElementsAre(3, 4));
}

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

}  // namespace wordbridge::refine_candidates_test
