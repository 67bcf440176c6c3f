#include "space/table_search.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::table_search_test {
namespace {

// The same answers before and after the index is built.
TEST(TableSearch, AnyNumberOfQueries) {
  const Matrix table = random_unit_rows(300, 9, 1), queries = random_unit_rows(1500, 9, 2);
  const BruteForceSearch brute_force(table);
  TableSearch search(table);
  for (const std::size_t count : {0, 1, 10, 900, 1, 1500, 3}) {
    const ConstMatrixView some = queries.view().slice(0, count);
    EXPECT_EQ(difference(brute_force.search(some, 4), search.search(some, 4)), "");
  }
  EXPECT_EQ(search.table().data(), table.data());
}

// What is known of unit rows saves a look at them, and changes no answer.
TEST(TableSearch, UnitRows) {
  Matrix table = random_unit_rows(1100, 9, 1);
  for (const std::size_t zero : {0, 511, 600}) std::ranges::fill(table.row(zero), 0.0f);
  const Matrix queries = random_unit_rows(20, 9, 2);
  const TableSearch plain(table), search(wordbridge::UnitRows::view(table));
  EXPECT_EQ(plain.unit_rows(), nullptr);
  EXPECT_EQ(search.unit_rows()->nonzero(), 1097u);
  for (const std::size_t k : {1, 10, 1100}) {
    EXPECT_EQ(difference(BruteForceSearch(table).search(queries, k), search.search(queries, k)), "");
    EXPECT_EQ(difference(plain.search(queries, k), search.search(queries, k)), "");
  }
  const std::vector<double> thresholds(queries.rows(), 0.3);
  const auto found = search.range_search(queries, thresholds, {}, 100'000);
  for (std::size_t i = 0; i < queries.rows(); ++i)
    for (std::uint32_t row = 0; row < table.rows(); ++row)
      if (exact_score(queries.row(i).data(), table.row(row).data(), 9) >= 0.3f) {
        EXPECT_TRUE(std::ranges::any_of(found->of(i), [&](const ScoredRow& match) { return match.id == row; }));
      }
}

TEST(TableSearch, LowerBounds) {
  const Matrix table = random_unit_rows(2000, 9, 1), queries = random_unit_rows(1200, 9, 2);
  const Neighbors expected = BruteForceSearch(table).search(queries, 4);
  std::vector<float> lower_bounds;
  for (std::size_t i = 0; i < queries.rows(); ++i) lower_bounds.push_back(expected.scores_of(i).back());
  TableSearch search(table);
  for (const std::size_t count : {10, 1200}) {
    const ConstMatrixView some = queries.view().slice(0, count);
    EXPECT_EQ(difference(BruteForceSearch(table).search(some, 4),
                         search.search_above(some, 4, std::span(lower_bounds).first(count))),
              "");
  }
}

}  // namespace
}  // namespace wordbridge::table_search_test
