#include "space/neighborhood_means.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/random_matrix_test_support.h"
#include "space/table_search.h"

namespace wordbridge::neighborhood_means_test {
namespace {

TEST(NeighborhoodMeans, MeanScore) {
  const std::vector<float> scores = {0.5f, 0.25f, -1.5f};
  EXPECT_EQ(mean_score(scores), -0.25);
  EXPECT_EQ(mean_score({}), 0);
}

TEST(NeighborhoodMeans, LearnsWhatIsAskedFor) {
  Matrix others(3, 2);
  others(0, 0) = 1;
  others(1, 1) = 1;
  others(2, 0) = -1;
  Matrix rows(3, 2);
  rows(0, 0) = 1;     // to the others: 1, 0, -1
  rows(1, 0) = 0.5f;  // 0.5, 0, -0.5
  rows(2, 1) = 1;     // 0, 1, 0
  TableSearch search(others);
  NeighborhoodMeans means(rows, search, 2);
  EXPECT_EQ(means.known_count(), 0u);
  means.learn({1, 1});
  EXPECT_FALSE(means.known(0));
  EXPECT_TRUE(means.known(1));
  EXPECT_EQ(means.known_count(), 1u);
  EXPECT_EQ(means[1], 0.25);
  means.learn_all();
  EXPECT_EQ(means.known_count(), 3u);
  EXPECT_EQ(means[0], 0.5);
  EXPECT_EQ(means.all()[2], 0.5);
}

TEST(NeighborhoodMeans, TellsTheNearest) {
  const Matrix rows = random_unit_rows(50, 3, 1), others = random_unit_rows(20, 3, 2);
  TableSearch search(others);
  NeighborhoodMeans plain(rows, search, 5), told(rows, search, 5);
  plain.learn_all();
  const std::vector<float> lower_bounds(50, -1.5f);
  const Neighbors expected = search.search(rows, 5);
  std::vector<WordId> seen;
  told.learn({7, 3, 7, 40}, lower_bounds, [&](WordId row, std::span<const std::uint32_t> nearest) {
    seen.push_back(row);
    EXPECT_TRUE(std::ranges::equal(nearest, expected.ids_of(row)));
  });
  EXPECT_EQ(seen, (std::vector<WordId>{3, 7, 40}));
  for (const WordId row : seen) EXPECT_EQ(told[row], plain[row]);
}

TEST(NeighborhoodMeans, KeepsTheNearestOfWhatItLearns) {
  const Matrix rows = random_unit_rows(60, 3, 1), others = random_unit_rows(20, 3, 2);
  const TableSearch search(others);
  const Neighbors expected = search.search(rows, 5);
  NeighborhoodMeans means(rows, search, 5);
  means.learn({2, 9});  // before anything is kept
  means.keep_nearest();
  means.learn({30, 9});
  const std::vector<WordId> wanted = {2, 8, 9, 30, 59};
  for (const bool again : {false, true}) {
    const Neighbors nearest = means.nearest(wanted);
    ASSERT_EQ(nearest.queries, wanted.size()) << again;
    ASSERT_EQ(nearest.found, 5u);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(nearest.ids_of(i), expected.ids_of(wanted[i]))) << wanted[i];
      EXPECT_TRUE(std::ranges::equal(nearest.scores_of(i), expected.scores_of(wanted[i]))) << wanted[i];
    }
  }
  EXPECT_EQ(means.known_count(), 5u);
}

// More rows than are searched at once.
TEST(NeighborhoodMeans, PiecesMakeTheWhole) {
  const Matrix rows = random_unit_rows(9000, 3, 1), others = random_unit_rows(20, 3, 2);
  TableSearch search(others), other_search(others);
  NeighborhoodMeans whole(rows, search, 5), pieces(rows, other_search, 5);
  whole.learn_all();
  for (WordId row = 8999; row > 97; row -= 97) pieces.learn({row, row - 1});
  pieces.learn_all();
  EXPECT_EQ(pieces.known_count(), 9000u);
  for (WordId row = 0; row < 9000; ++row) ASSERT_EQ(whole[row], pieces[row]);
}

}  // namespace
}  // namespace wordbridge::neighborhood_means_test
