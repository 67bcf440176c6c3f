#include "retrieval/csls/mutual_pairs.h"

#include <gtest/gtest.h>

#include <numeric>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"
#include "space/table_search.h"
#include "wordbridge/common_space.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge::mutual_pairs_test {

namespace {

TEST(SideMeans, LowerBoundsUntilTheyAreLearned) {
  const std::size_t k = 4, n = 60;
  Matrix raw = random_matrix(n, 8, 1);
  std::ranges::fill(raw.row(5), 0.0f);
  const UnitRows words = UnitRows::normalized(random_matrix(50, 8, 2)), others = UnitRows::normalized(std::move(raw));
  const BruteForceSearch search(others.rows());
  const Neighbors nearest = search.search(words.rows(), k);
  NearestSources near(words.size());
  for (WordId i = 0; i < 40; ++i) {  // right ones, any, and one that is zero
    std::vector<WordId> ids(nearest.ids_of(i).begin(), nearest.ids_of(i).end());
    if (i >= 10) std::iota(ids.begin(), ids.end(), i >= 30 ? WordId{3} : 10 + i);
    near.add(i, ids);
  }
  SideMeans means(words, others, search, k, near);
  for (WordId i = 0; i < words.size(); ++i) {
    const double exact = mean_score(nearest.scores_of(i));
    EXPECT_FALSE(means.known(i));
    EXPECT_LE(means[i], exact);
    if (i < 10) {
      EXPECT_EQ(means[i], exact);
    }
    EXPECT_EQ(means[i] < -1, i >= 30) << "what nothing is known of";
  }
  EXPECT_LT(means.least(), -1);

  means.learn({12, 35, 12, 49});
  for (const WordId i : {12u, 35u, 49u}) {
    EXPECT_TRUE(means.known(i));
    EXPECT_EQ(means[i], mean_score(nearest.scores_of(i)));
    EXPECT_TRUE(std::ranges::equal(means.nearest(i), nearest.ids_of(i)));
  }
  EXPECT_FALSE(means.known(13));
}

TEST(SideMeans, TheLeastIsOfWordsWithAVector) {
  Matrix raw = random_matrix(5, 3, 1);
  std::ranges::fill(raw.row(2), 0.0f);
  const UnitRows words = UnitRows::normalized(std::move(raw)), others = UnitRows::normalized(random_matrix(9, 3, 2));
  const BruteForceSearch search(others.rows());
  NearestSources near(words.size());
  SideMeans means(words, others, search, 2, near);
  means.learn({0, 1, 3, 4});
  EXPECT_EQ(means.least(), std::min({means[0], means[1], means[3], means[4]}));
}

/// The slow twin: all statistics, both directions, and what both name.
std::vector<Lexicon::Pair> by_induction(const UnitRows& source, const UnitRows& target, std::size_t words,
                                        std::size_t k) {
  InductionOptions options{.direction = InductionDirection::intersection, .last_word = words};
  options.criterion_options.neighbors = k;
  std::vector<Lexicon::Pair> pairs;
  for (const InducedPair& pair : induce_lexicon(CommonSpace(source, target), options))
    pairs.push_back({pair.source, pair.target});
  return pairs;
}

struct Tables {
  Matrix source, target;
};

/// Targets near their sources under a rotation.
Tables noisy_pair(std::size_t sources, std::size_t targets, std::size_t d, double noise, std::uint64_t seed) {
  Tables tables{random_matrix(sources, d, seed), random_matrix(targets, d, seed + 1)};
  for (std::size_t i = 0; i < std::min(sources, targets); ++i)
    for (std::size_t j = 0; j < d; ++j)
      tables.target(i, j) = tables.source(i, j) + static_cast<float>(noise) * tables.target(i, j);
  return tables;
}

UnitRows under(const Matrix& rows, double share, std::uint64_t seed) {
  Matrix map = random_matrix(rows.cols(), rows.cols(), seed);
  scale(map, share);
  for (std::size_t i = 0; i < map.rows(); ++i) map(i, i) += 1;
  return UnitRows::normalized(multiply_abt(rows, map));
}

/// Several maps, one after the other; near and far. Returns the pairs that were found.
std::size_t compare(const Tables& tables, std::size_t words, std::size_t k) {
  const UnitRows target = UnitRows::normalized(tables.target);
  const TableSearch search(target.rows(), target.size());
  MutualPairs mutual(words, k);
  std::size_t found = 0;
  std::uint64_t seed = 50;
  for (const double share : {0.0, 0.02, 0.02, 0.3, 0.0}) {
    const UnitRows source = under(tables.source, share, ++seed);
    if (!mutual.suits(source, target)) continue;
    const auto pairs = mutual.find(source, target, search);
    EXPECT_TRUE(pairs.has_value());
    if (!pairs) continue;
    EXPECT_EQ(*pairs, by_induction(source, target, words, k)) << "share " << share;
    found += pairs->size();
  }
  return found;
}

TEST(MutualPairs, AsByInductionFromAllStatistics) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "this machine has no kernel for codes";
  for (const double noise : {0.2, 1.0, 3.0}) {
    EXPECT_GT(compare(noisy_pair(900, 1'100, 12, noise, 3), 200, 10), 0u) << noise;
    EXPECT_GT(compare(noisy_pair(500, 400, 40, noise, 5), 100, 3), 0u) << noise;
  }
  compare(noisy_pair(300, 300, 3, 2, 7), 150, 1);
}

/// From 1,560 targets on, the first call begins with neighbors from clusters.
TEST(MutualPairs, FromClusters) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "this machine has no kernel for codes";
  EXPECT_GT(compare(noisy_pair(1'700, 1'600, 16, 1.5, 13), 400, 10), 0u);
}

TEST(MutualPairs, RowsOfAnySpread) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "this machine has no kernel for codes";
  for (const Spread spread : {Spread::kClustered, Spread::kNearTies, Spread::kIntegers}) {
    SCOPED_TRACE(name_of(spread));
    compare({random_rows(spread, 300, 6, 1), random_rows(spread, 350, 6, 2)}, 60, 5);
  }
}

TEST(MutualPairs, ZeroRowsTakeNoPart) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "this machine has no kernel for codes";
  Tables tables = noisy_pair(400, 400, 10, 0.5, 9);
  for (const std::size_t i : {0, 7, 99, 100, 250}) std::ranges::fill(tables.source.row(i), 0.0f);
  for (const std::size_t i : {1, 7, 63, 64, 300, 399}) std::ranges::fill(tables.target.row(i), 0.0f);
  EXPECT_GT(compare(tables, 100, 4), 0u);
}

TEST(MutualPairs, TheSameForAnyNumberOfThreads) {
  for (const int threads : {1, 3}) {
    const WithThreads scope(threads);
    compare(noisy_pair(500, 500, 12, 1, 3), 120, 10);
  }
}

TEST(MutualPairs, SuitsFewFrequentWordsOfMany) {
  const UnitRows rows = UnitRows::normalized(random_matrix(100, 4, 1));
  EXPECT_EQ(MutualPairs(50, 10).suits(rows, rows), int8_filter_is_fast());
  EXPECT_FALSE(MutualPairs(51, 10).suits(rows, rows));
  EXPECT_FALSE(MutualPairs(0, 10).suits(rows, rows));
  EXPECT_FALSE(MutualPairs(9, 10).suits(rows, rows)) << "fewer words than neighbors";
  Matrix zeros = random_matrix(100, 4, 1);
  for (std::size_t i = 0; i < 41; ++i) std::ranges::fill(zeros.row(i), 0.0f);
  EXPECT_FALSE(MutualPairs(50, 10).suits(rows, UnitRows::normalized(std::move(zeros))));
}

}  // namespace

}  // namespace wordbridge::mutual_pairs_test
