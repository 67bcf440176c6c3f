#include "space/table_search.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "search/brute_force_search.h"
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
