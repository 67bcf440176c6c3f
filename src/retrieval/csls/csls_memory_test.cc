#include "retrieval/csls/csls_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "linalg/random_matrix_test_support.h"
#include "retrieval/csls/bounds.h"
#include "retrieval/csls/bounds_test_support.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::csls_memory_test {

namespace {

/// Checks the promise for all queries: k to `count` different words, none of the rest better than those in front.
void check(std::size_t rows, std::size_t first, std::size_t count, std::size_t most) {
  const Matrix table = random_unit_rows(rows, 9, 1), queries = random_unit_rows(40, 9, 2);
  TableSearch search(table), exact(table);
  const auto near = near_words(ShardedSearch(search), queries, 5, first, count, most);
  ASSERT_EQ(near.size(), queries.rows());
  const Neighbors best = exact.search(queries, 5);
  for (std::size_t i = 0; i < near.size(); ++i) {
    EXPECT_GE(near[i].size(), std::min<std::size_t>(5, rows));
    EXPECT_LE(near[i].size(), count);
    EXPECT_EQ(std::set<WordId>(near[i].begin(), near[i].end()).size(), near[i].size());
    // Bounds by products of floats are nearly the scores: the best words are in front.
    const std::span<const WordId> front = std::span(near[i]).first(std::min(first, near[i].size()));
    for (const WordId id : best.ids_of(i)) EXPECT_EQ(std::ranges::count(front, id), 1) << "query " << i;
  }
}

TEST(NearWords, OfASample) { check(4000, 20, 100, 1'000'000); }
TEST(NearWords, OfAllWords) { check(300, 20, 100, 1'000'000); }
TEST(NearWords, MoreThanThereAre) { check(30, 64, 100, 1'000'000); }
TEST(NearWords, TooManyReach) { check(4000, 20, 100, 10); }

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

constexpr float kUnknown = -std::numeric_limits<float>::infinity();

TEST(CslsMemory, ServesTheSameQueriesAndZeros) {
  CslsMemory memory(5);
  const std::vector<WordId> none, one = {3};
  EXPECT_FALSE(memory.serves(0, 1, none));
  EXPECT_FALSE(memory.serves(2, 1, none));
  memory.best = {2, 1, {4, 0}, {0.5, 0.25}};
  EXPECT_TRUE(memory.serves(2, 1, none));
  EXPECT_FALSE(memory.serves(2, 2, none));
  EXPECT_FALSE(memory.serves(3, 1, none));
  EXPECT_FALSE(memory.serves(2, 1, one));
  memory.zero_sources = one;
  EXPECT_TRUE(memory.serves(2, 1, one));
  memory.forget_queries();
  EXPECT_FALSE(memory.serves(2, 1, one));
}

// What is remembered may be any source words: the bounds hold, and are tight where the words are the nearest.
TEST(CslsMemory, BoundsAreNeverAboveTheMeans) {
  constexpr std::size_t k = 4;
  for (const Spread spread : {Spread::kGaussian, Spread::kClustered, Spread::kNearTies, Spread::kTiny}) {
    SCOPED_TRACE(name_of(spread));
    const Matrix sources = random_rows(spread, 60, 9, 1), targets = random_rows(spread, 700, 9, 2);
    const CslsBatch batch = csls_batch(sources, sources, targets, k);
    CslsMemory memory(targets.rows());
    for (WordId i = 0; i < sources.rows(); ++i) memory.pools.push_back({i, (i + 1) % 60, (i + 7) % 60, (i + 9) % 60});
    for (WordId y = 0; y < targets.rows(); ++y) {
      memory.landmark_of.push_back(y % 60);
      const WordId first = y % 50;
      if (y % 3 == 0) memory.nearest.add(y, std::vector<WordId>{first, first + 1, first + 5, first + 9});
      if (y % 3 == 1) memory.nearest.add(y, std::vector<WordId>{first, first + 1});  // too few
    }
    MeanBounds bounds(targets.rows());
    bounds.mean[3] = 1e30f;  // stays: bounds are only raised
    raise_by_memory(batch, memory, landmarks(sources, memory.pools, k), bounds);
    EXPECT_EQ(bounds.mean[3], 1e30f);
    bounds.mean[3] = kUnknown;
    for (WordId y = 0; y < targets.rows(); ++y) {
      EXPECT_LE(bounds.mean[y], exact_mean(sources, targets.row(y), k)) << "target " << y;
      EXPECT_TRUE(y == 3 || bounds.mean[y] > kUnknown);
      EXPECT_EQ(bounds.kth_score[y] > kUnknown, y % 3 == 0);
      std::size_t reaching = 0;
      for (std::size_t x = 0; x < sources.rows(); ++x)
        reaching += exact_score(sources.row(x).data(), targets.row(y).data(), 9) >= bounds.kth_score[y];
      EXPECT_GE(reaching, k);
    }
  }
}

}  // namespace

}  // namespace wordbridge::csls_memory_test
