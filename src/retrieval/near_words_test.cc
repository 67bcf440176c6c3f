#include "retrieval/near_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "linalg/random_matrix_test_support.h"

namespace wordbridge::near_words_test {
namespace {

/// Checks the promise for all queries: k to `count` different words, none of the rest better than those in front.
void check(std::size_t rows, std::size_t first, std::size_t count, std::size_t most) {
  const Matrix table = random_unit_rows(rows, 9, 1), queries = random_unit_rows(40, 9, 2);
  TableSearch search(table), exact(table);
  const auto near = near_words(search, queries, 5, first, count, most);
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

}  // namespace
}  // namespace wordbridge::near_words_test
