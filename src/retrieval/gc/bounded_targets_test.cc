#include "retrieval/gc/bounded_targets.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "search/search_cases_test_support.h"
#include "space/unit_rows.h"

namespace wordbridge::bounded_targets_test {
namespace {

using ::testing::ElementsAre;

/// 500 source words, of which the first 40 ask, and 300 targets.
struct Case {
  UnitRows sources = UnitRows::normalized(random_rows(Spread::kClustered, 500, 12, 3));
  UnitRows targets = UnitRows::normalized(random_rows(Spread::kClustered, 300, 12, 4));
  RankBounds bounds{sources, targets, 100};
  TableSearch search{targets.rows()};
  BoundedTargets bounded{search, bounds};
  ConstMatrixView queries = sources.rows().slice(0, 40);

  /// By the definition.
  std::size_t rank(WordId query, WordId target) const {
    const float own = exact_score(sources[query].data(), targets[target].data(), 12);
    std::size_t count = 0;
    for (WordId i = 0; i < sources.size(); ++i)
      count += exact_score(sources[i].data(), targets[target].data(), 12) > own;
    return count;
  }
};

TEST(BoundedTargets, AreAllWithRanksBelowTheLevel) {
  const Case tables;
  const std::vector<WordId> some{3, 39, 0, 17};
  std::vector<std::size_t> levels(40, tables.bounded.first_level(2));
  levels[17] = tables.bounds.levels().size() - 1;
  const auto open = tables.bounded.find(tables.queries, some, 2, levels);
  for (std::size_t i = 0; i < some.size(); ++i) {
    const std::size_t level = tables.bounds.levels()[levels[some[i]]];
    EXPECT_TRUE(level == tables.bounds.levels().back() || BoundedTargets::seem_enough(open[i], 2, level));
    std::vector<std::uint8_t> found(tables.targets.size());
    for (const BoundedTarget& target : open[i]) {
      const std::size_t rank = tables.rank(some[i], target.target);
      EXPECT_LE(target.least_rank, rank);
      EXPECT_GE(target.upper_bound(), rank_score(rank, target.cosine));
      found[target.target] = 1;
    }
    EXPECT_TRUE(std::ranges::is_sorted(open[i], std::greater<>(), &BoundedTarget::upper_bound));
    for (WordId y = 0; y < tables.targets.size(); ++y)
      EXPECT_TRUE(found[y] || tables.targets.is_zero(y) || tables.rank(some[i], y) >= level)
          << "query " << some[i] << ", target " << y;
  }
}

TEST(BoundedTargets, LevelsRiseToTheLast) {
  const Case tables;
  const auto ranks = tables.bounds.levels();
  std::vector<std::uint32_t> visited;
  for (std::size_t level = tables.bounded.first_level(2); level < ranks.size();
       level = tables.bounded.level_after(level))
    visited.push_back(ranks[level]);
  EXPECT_THAT(visited, ElementsAre(8, 32, 100));
  EXPECT_EQ(tables.bounded.first_level(90), ranks.size() - 1);
}

TEST(BoundedTargets, KeepAReserve) {
  const std::vector<BoundedTarget> open{{1, 0, 0}, {10, 0, 1}, {15, 0, 2}, {16, 0, 3}};
  EXPECT_TRUE(BoundedTargets::seem_enough(open, 2, 16));
  EXPECT_FALSE(BoundedTargets::seem_enough(open, 2, 15));
  EXPECT_FALSE(BoundedTargets::seem_enough(open, 5, 1000));
  EXPECT_EQ(BoundedTargets::likely(open, 2).size(), 3u);
  EXPECT_EQ(BoundedTargets::likely(open, 5).size(), 4u);
}

}  // namespace
}  // namespace wordbridge::bounded_targets_test
