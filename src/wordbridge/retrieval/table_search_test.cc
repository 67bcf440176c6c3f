#include "wordbridge/retrieval/table_search.h"

#include <gtest/gtest.h>

#include "wordbridge/linalg/random_matrix_test_support.h"
#include "wordbridge/neighbors/brute_force_search.h"
#include "wordbridge/neighbors/search_cases_test_support.h"

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

// Floors of any quality change nothing: as high as they may be, low, and so low that they say nothing.
TEST(TableSearch, Floors) {
  const Matrix table = random_unit_rows(2000, 9, 1), queries = random_unit_rows(1200, 9, 2);
  const Neighbors expected = BruteForceSearch(table).search(queries, 4);
  for (const double below : {0.0, 0.1, 9.0}) {
    std::vector<double> floors;
    for (std::size_t i = 0; i < queries.rows(); ++i) floors.push_back(expected.scores_of(i).back() - below);
    TableSearch search(table);
    EXPECT_EQ(difference(expected, search.search(queries, 4, floors)), "") << below;
  }
}

}  // namespace
}  // namespace wordbridge::table_search_test
