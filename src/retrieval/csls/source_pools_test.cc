#include "retrieval/csls/source_pools.h"

#include <gmock/gmock.h>

namespace wordbridge::source_pools_test {
namespace {

TEST(NearestSources, OfThoseThatWereAdded) {
  NearestSources known(4);
  const std::vector<WordId> first = {5, 6}, second = {7, 5};
  known.add(2, first);
  known.add(0, second);
  EXPECT_THAT(known.of(2), testing::ElementsAre(5, 6));
  EXPECT_THAT(known.of(0), testing::ElementsAre(7, 5));
  EXPECT_TRUE(known.of(1).empty());
  const std::vector<WordId> fewer = {8}, more = {1, 2, 3};
  known.add(2, fewer);
  known.add(0, more);
  EXPECT_THAT(known.of(2), testing::ElementsAre(8));
  EXPECT_THAT(known.of(0), testing::ElementsAre(1, 2, 3));
}

// Query 0 is near targets 0 and 1, both near source 5; query 1 is near target 2, of which nothing is known.
TEST(SourcePools, MostFrequentFirst) {
  NearestSources known(3);
  const std::vector<WordId> first = {4, 5}, second = {5, 9};
  known.add(0, first);
  known.add(1, second);
  const Neighbors targets{.queries = 2, .found = 2, .ids = {0, 1, 2, 2}, .scores = {1, 1, 1, 1}};
  const auto pools = source_pools(targets, known, {{1, 2}, {3, 8}}, 2);
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_THAT(pools[0], testing::ElementsAre(5, 4, 9));
  EXPECT_THAT(pools[1], testing::ElementsAre(3, 8));
}

TEST(SourcePools, TooFewAreReplaced) {
  NearestSources known(1);
  const std::vector<WordId> nearest = {4, 5};
  known.add(0, nearest);
  const Neighbors targets{.queries = 1, .found = 1, .ids = {0}, .scores = {1}};
  EXPECT_THAT(source_pools(targets, known, {{1, 2, 3}}, 3)[0], testing::ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace wordbridge::source_pools_test
