#include "retrieval/csls/pruning.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "base/random.h"

namespace wordbridge::pruning_test {
namespace {

std::vector<WordId> ids(const std::vector<OpenTarget>& open) {
  std::vector<WordId> result;
  for (const OpenTarget& target : open) result.push_back(target.id);
  return result;
}

TEST(Pruning, KeepsWhatReachesTheThreshold) {
  std::vector<OpenTarget> open = {{3, 0, 0, 7}, {1, 0, 0, 8}, {2, 0, 0, 9}, {3, 0, 0, 1}};
  prune_targets(open, 2);
  EXPECT_THAT(ids(open), testing::ElementsAre(7, 9, 1));
  sort_by_upper_bound(open);
  EXPECT_THAT(ids(open), testing::ElementsAre(1, 7, 9));
}

TEST(Pruning, BoundsOfOneQueryServeAll) {
  MeanBounds bounds(3);
  bounds.mean[1] = 0.75f;
  OpenTargets open = {{{2, 0.5, 0.25f, 0}, {2, 0.5, 0.25f, 1}}, {{1, 0.25, 0.5f, 0}}};
  share_bounds(open, bounds);
  EXPECT_EQ(bounds.mean[0], 0.5f);
  EXPECT_EQ(bounds.kth_score[0], 0.5f);
  EXPECT_EQ(bounds.mean[1], 0.75f);
  EXPECT_EQ(bounds.mean[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(open[0][0].upper_bound, 2);     // it knew best itself
  EXPECT_EQ(open[0][1].upper_bound, 1.75);  // r_s is 0.25 more than it knew
  EXPECT_EQ(open[1][0].upper_bound, 0.75);
}

// Random bounds above random scores: the lists are those of all scores, and few are computed.
TEST(Pruning, PortionsFindTheBestWithoutAllScores) {
  Random random(1);
  constexpr std::size_t kQueries = 40, kTargets = 500, kCount = 3;
  std::vector<std::vector<double>> scores(kQueries);
  OpenTargets open(kQueries);
  std::vector<TopK<double>> lists(kQueries, TopK<double>(kCount)), expected = lists;
  for (std::size_t i = 0; i < kQueries; ++i) {
    for (WordId id = 0; id < kTargets; ++id) {
      scores[i].push_back(random.uniform());
      open[i].push_back({scores[i][id] + 0.1 * random.uniform(), 0, 0, id});
      expected[i].offer(scores[i][id], id);
    }
    sort_by_upper_bound(open[i]);
  }
  std::set<WordId> known;
  std::size_t calls = 0, offered = 0;
  const auto learn = [&](std::vector<WordId> targets) {
    ++calls;
    known.insert(targets.begin(), targets.end());
  };
  const auto score = [&](std::size_t query, WordId id) -> std::optional<double> {
    if (known.count(id) == 0) return std::nullopt;
    ++offered;
    return scores[query][id];
  };
  refine_in_portions(open, lists, 1, learn, score);
  EXPECT_EQ(calls, 1u);
  refine_in_portions(open, lists, std::numeric_limits<std::size_t>::max(), learn, score);
  for (std::size_t i = 0; i < kQueries; ++i) {
    EXPECT_TRUE(open[i].empty());
    const auto best = expected[i].sorted(), found = lists[i].sorted();
    ASSERT_EQ(found.size(), best.size());
    for (std::size_t j = 0; j < best.size(); ++j) EXPECT_EQ(found[j].id, best[j].id);
  }
  EXPECT_LT(offered, kQueries * kTargets);
}

}  // namespace
}  // namespace wordbridge::pruning_test
