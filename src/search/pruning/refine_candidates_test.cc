#include "search/pruning/refine_candidates.h"

#include <gmock/gmock.h>

#include <vector>

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

}  // namespace
}  // namespace wordbridge::refine_candidates_test
