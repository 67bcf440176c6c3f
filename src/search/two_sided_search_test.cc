#include "search/two_sided_search.h"
#include "base/effort_test_support.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/random.h"
#include "parallel/threads_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::two_sided_search_test {
namespace {

class TwoSidedSearchTest : public testing::TestWithParam<const Kernels*> {};

/// Compares all kernels with the oracle, which runs once for all.
void expect_as_two_searches(const Matrix& source, const Matrix& target, std::size_t k, const std::string& what) {
  const Neighbors of_source = BruteForceSearch(target).search(source, k);
  const Neighbors of_target = BruteForceSearch(source).search(target, k);
  for (const Kernels* kernels : tested_kernels()) {
    const TwoSidedNeighbors found = two_sided_search(source, target, k, *kernels);
    EXPECT_EQ(difference(of_source, found.of_source), "") << kernels->name << ", " << what << " of source";
    EXPECT_EQ(difference(of_target, found.of_target), "") << kernels->name << ", " << what << " of target";
  }
}

TEST_P(TwoSidedSearchTest, KnownAnswer) {
  Matrix source(2, 2), target(3, 2);
  source(0, 0) = 1;
  source(1, 1) = 2;
  target(0, 0) = 3;
  target(1, 1) = 1;
  target(2, 0) = target(2, 1) = 1;
  const TwoSidedNeighbors found = two_sided_search(source, target, 1, *GetParam());
  EXPECT_THAT(found.of_source.ids, testing::ElementsAre(0, 1));
  EXPECT_THAT(found.of_source.scores, testing::ElementsAre(3, 2));
  EXPECT_THAT(found.of_target.ids, testing::ElementsAre(0, 1, 1));
  EXPECT_THAT(found.of_target.scores, testing::ElementsAre(3, 2, 2));
}

TEST(TwoSidedSearch, SpreadsAndShapes) {
  Random random(21);
  for (std::size_t round = 0; round < effort(6, 1); ++round)
    for (const Spread spread : all_spreads()) {
      const std::size_t d = 1 + random.index(70), k = 1 + random.index(round == 0 ? 400 : 12);
      const Matrix source = random_rows(spread, random.index(300), d, random.bits());
      const Spread other = round % 2 == 0 ? spread : all_spreads()[random.index(all_spreads().size())];
      const Matrix target = random_rows(other, random.index(300), d, random.bits());
      expect_as_two_searches(source, target, k, name_of(spread) + " " + name_of(other) + " " + std::to_string(d));
    }
}

/// What was found for rows that have moved since changes no answer, wherever they went.
TEST(TwoSidedSearch, WarmStart) {
  Random random(23);
  for (const Spread spread : all_spreads()) {
    const std::size_t d = 1 + random.index(30), k = 1 + random.index(8), more = k + random.index(5);
    Matrix source = random_rows(spread, 150, d, random.bits()), target = random_rows(spread, 170, d, random.bits());
    for (const float move : {0.0f, 0.05f, 3.0f}) {
      const TwoSidedNeighbors before = two_sided_search(source, target, more);
      const Matrix step = random_rows(spread, 150, d, random.bits());
      for (std::size_t i = 0; i < source.size(); ++i) source.data()[i] += move * step.data()[i];
      if (move > 1) std::ranges::fill(target.row(3), 0.0f);
      const Neighbors of_source = BruteForceSearch(target).search(source, k);
      const Neighbors of_target = BruteForceSearch(source).search(target, k);
      for (const Kernels* kernels : tested_kernels()) {
        const TwoSidedNeighbors found = two_sided_search(source, target, k, *kernels, &before);
        EXPECT_EQ(difference(of_source, found.of_source), "") << kernels->name << ", " << name_of(spread);
        EXPECT_EQ(difference(of_target, found.of_target), "") << kernels->name << ", " << name_of(spread);
      }
    }
  }
}

/// From 1,560 targets on, both sides begin with lower bounds from their clusters (pruning/cluster_bounds.h).
TEST(TwoSidedSearch, LowerBoundsFromClusters) {
  Random random(22);
  const std::vector<Spread> spreads = all_spreads();
  for (std::size_t i = 0; i < spreads.size(); i += effort(1, 8)) {
    const std::size_t k = 1 + random.index(12);
    expect_as_two_searches(random_rows(spreads[i], 1700, 12, random.bits()),
                           random_rows(spreads[i], 1600, 12, random.bits()), k, name_of(spreads[i]));
  }
}

TEST(TwoSidedSearch, ManyRowsOnOneSide) {
  const Matrix many = random_rows(Spread::kClustered, 4200, 12, 1),
               few = random_rows(Spread::kClustered, effort(300, 100), 12, 2);
  expect_as_two_searches(many, few, 10, "many sources");
  expect_as_two_searches(few, many, 10, "many targets");
}

TEST(TwoSidedSearch, MoreNeighborsThanAlikeRows) {
  expect_as_two_searches(random_rows(Spread::kDecaying, 60, 5, 3), random_rows(Spread::kDecaying, 1700, 5, 4), 450,
                         "450 neighbors");
}

TEST(TwoSidedSearch, AnyNumberOfThreads) {
  const Matrix source = random_rows(Spread::kDecaying, effort(700, 350), 33, 5),
               target = random_rows(Spread::kDecaying, effort(600, 300), 33, 6);
  for (const int threads : {1, 2, 5}) {
    const WithThreads scope(threads);
    expect_as_two_searches(source, target, 10, std::to_string(threads) + " threads");
  }
}

TEST_P(TwoSidedSearchTest, NothingToFind) {
  const TwoSidedNeighbors none =
      two_sided_search(Matrix(0, 3), random_rows(Spread::kGaussian, 5, 3, 7), 10, *GetParam());
  EXPECT_EQ(none.of_source.queries, 0u);
  EXPECT_EQ(none.of_target.queries, 5u);
  EXPECT_EQ(none.of_target.found, 0u);
  EXPECT_EQ(two_sided_search(Matrix(2, 3), Matrix(2, 3), 10, *GetParam()).of_source.found, 0u);
  EXPECT_THROW(two_sided_search(Matrix(2, 3), Matrix(2, 4), 10, *GetParam()), UsageError);
}

TEST_P(TwoSidedSearchTest, Cancelled) {
  const Matrix source = random_rows(Spread::kClustered, 400, 20, 1),
               target = random_rows(Spread::kClustered, 1700, 20, 2);
  const TwoSidedNeighbors expected = two_sided_search(source, target, 5, *GetParam());
  for (const std::size_t turns : {0, 100, 3000, 30'000}) {
    const bool cancelled = ends_cancelled([&] { two_sided_search(source, target, 5, *GetParam()); }, turns);
    EXPECT_TRUE(cancelled || turns > 0);
    const TwoSidedNeighbors found = two_sided_search(source, target, 5, *GetParam());
    EXPECT_EQ(difference(expected.of_source, found.of_source), "");
    EXPECT_EQ(difference(expected.of_target, found.of_target), "");
  }
}

INSTANTIATE_TEST_SUITE_P(All, TwoSidedSearchTest, testing::ValuesIn(tested_kernels()),
                         [](const auto& tested) { return std::string(tested.param->name); });

}  // namespace
}  // namespace wordbridge::two_sided_search_test
