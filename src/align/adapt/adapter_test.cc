#include "align/adapt/adapter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "align/adapt/adapter_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_map_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "search/brute_force_search_test_support.h"

namespace wordbridge::adapter_test {
namespace {

std::vector<double> to_vector(const Matrix& row) { return {row.elements().begin(), row.elements().end()}; }

TEST(AdapterTest, RidgeRecoversAPlantedAffineMap) {
  const Matrix x = random_matrix(200, 6, 1), a = random_matrix(4, 6, 2), c = random_matrix(1, 4, 3);
  AffineMap planted{to_double(a), to_vector(c)};
  const PairMoments moments(x, planted.apply(x));
  const AffineMap found = moments.ridge(0);
  EXPECT_LT(largest_difference(found.w, planted.w), 1e-4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found.b[i], planted.b[i], 1e-4);
  // The whole rank loses nothing; a rank less does.
  EXPECT_LT(largest_difference(moments.low_rank(0, 4).w, planted.w), 1e-4);
  EXPECT_GT(largest_difference(moments.low_rank(0, 3).w, planted.w), 1e-2);
}

TEST(AdapterTest, RidgeOfDependentColumnsIsFinite) {
  Matrix x = random_matrix(50, 5, 1);
  for (std::size_t i = 0; i < 50; ++i) x(i, 4) = x(i, 3);
  const AffineMap found = PairMoments(x, x).ridge(0);
  EXPECT_LT(largest_difference(found.apply(x), x), 1e-3);
}

TEST(AdapterTest, ProcrustesRecoversARotationWithScaleAndShift) {
  const Matrix x = random_matrix(200, 5, 1);
  Matrix q = random_orthogonal(5, 5, 2);
  scale(q, 3);
  const AffineMap planted{to_double(q), {1, -2, 3, 0, 5}};
  const PairMoments moments(x, planted.apply(x));
  for (const auto kind : {PairMoments::Scale::least_squares, PairMoments::Scale::spreads}) {
    const AffineMap found = moments.procrustes(kind);
    EXPECT_LT(largest_difference(found.w, planted.w), 1e-4);
    EXPECT_LT(largest_difference(found.apply(x), planted.apply(x)), 1e-3);
  }
  EXPECT_NEAR(frobenius_of(moments.procrustes(PairMoments::Scale::one).w), std::sqrt(5), 1e-6);
}

TEST(AdapterTest, ItemsAreKeptOnceAndWithoutZeroRows) {
  Matrix source = random_matrix(5, 3, 1), target = random_matrix(6, 2, 2);
  std::ranges::fill(source.row(1), 0.0f);
  std::ranges::fill(target.row(5), 0.0f);
  const std::vector<Lexicon::Pair> pairs = {{0, 3}, {1, 1}, {2, 3}, {0, 2}, {3, 5}};
  const PairedItems items(source, target, pairs, 0, 1);
  EXPECT_EQ(items.pairs, (std::vector<Lexicon::Pair>{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(items.sources.rows(), 2u);
  EXPECT_EQ(items.targets.rows(), 2u);
  EXPECT_EQ(items.units.rows(), 5u) << "the zero row is no item of the index";
  for (std::size_t i = 0; i < 5; ++i) EXPECT_FALSE(is_zero(items.units.row(i)));
  const PairedItems drawn(source, target, pairs, 2, 1);
  EXPECT_EQ(drawn.pairs.size(), 2u);
  EXPECT_EQ(drawn.units.rows(), 2u);
}

/// How many items come first for their own query, in percent.
double own_first(const AffineMap& map, const PairedItems& items) {
  Matrix queries = map.apply(items.sources);
  const Neighbors found = BruteForceSearch(items.units).search(queries, 1);
  double own = 0;
  for (const auto& pair : items.pairs) own += found.ids_of(pair.source)[0] == pair.target;
  return 100 * own / static_cast<double>(items.pairs.size());
}

TEST(AdapterTest, TheContrastiveMapPutsOwnItemsFirst) {
  const LoudSpaces spaces(600, 1);
  const PairedItems items(spaces.source, spaces.target, spaces.pairs, 0, 1), fresh = LoudSpaces(600, 2).items();
  const PairMoments moments(items.sources, items.targets);
  const AffineMap start = moments.ridge(0.01);
  const auto learn = [&] {
    return contrastive_map(items, items.pairs, {}, moments, start, {.temperature = 0.05, .negatives = 0}, 20, "x");
  };
  const AffineMap map = learn();
  EXPECT_GT(own_first(map, fresh), own_first(start, fresh) + 10) << "on items that it has not seen";
  const WithThreads three(3);
  EXPECT_EQ(learn().w, map.w) << "the same bits for any number of threads";
}

TEST(AdapterTest, DirectionsWithoutSpreadAreLeftOut) {
  LoudSpaces spaces(200, 1);
  Matrix wide(200, spaces.source.cols() + 1);  // the last column is 5 everywhere
  for (std::size_t i = 0; i < 200; ++i) {
    std::ranges::copy(spaces.source.row(i), wide.row(i).begin());
    wide.row(i).back() = 5;
  }
  const PairedItems items(wide, spaces.target, spaces.pairs, 0, 1);
  const PairMoments moments(items.sources, items.targets);
  const AffineMap map =
      contrastive_map(items, items.pairs, {}, moments, moments.ridge(0.01), {.temperature = 0.05}, 3, "x");
  for (std::size_t i = 0; i < map.w.rows(); ++i) EXPECT_NEAR(map.w(i, map.w.cols() - 1), 0, 1e-6);
}

}  // namespace
}  // namespace wordbridge::adapter_test
