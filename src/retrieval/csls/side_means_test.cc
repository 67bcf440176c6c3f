#include "retrieval/csls/side_means.h"

#include <gtest/gtest.h>

#include <numeric>

#include "linalg/random_matrix_test_support.h"
#include "search/brute_force_search_test_support.h"

namespace wordbridge::side_means_test {
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

}  // namespace
}  // namespace wordbridge::side_means_test
