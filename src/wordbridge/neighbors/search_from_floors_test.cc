#include "wordbridge/neighbors/search_from_floors.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "wordbridge/neighbors/blas_search.h"
#include "wordbridge/neighbors/brute_force_search.h"
#include "wordbridge/neighbors/int8_search.h"
#include "wordbridge/neighbors/search_cases_test_support.h"

namespace wordbridge::search_from_floors_test {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

// The floors are the k-th best scores themselves, so that ties with them count; more neighbors than rows, too.
TEST(SearchFromFloors, AsTheSearch) {
  std::uint64_t seed = 1;
  for (const Spread spread : all_spreads())
    for (const std::size_t k : {1, 10, 400}) {
      const Matrix table = random_rows(spread, 300, 17, ++seed), queries = random_rows(spread, 70, 17, ++seed);
      const Neighbors expected = BruteForceSearch(table).search(queries, k);
      std::vector<double> floors;
      for (std::size_t i = 0; i < queries.rows(); ++i) floors.push_back(expected.scores_of(i).back());
      const BlasSearch blas(table);
      const Int8Search int8(table);
      for (const NeighborSearch* search :
           {static_cast<const NeighborSearch*>(&blas), static_cast<const NeighborSearch*>(&int8)}) {
        const auto found = search_from_floors(*search, queries, k, floors, kAny);
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(difference(expected, *found), "") << name_of(spread) << ", k " << k;
      }
    }
}

TEST(SearchFromFloors, NothingIfTheFloorsAreTooLow) {
  const Matrix table = random_rows(Spread::kGaussian, 300, 5, 1), queries = random_rows(Spread::kGaussian, 3, 5, 2);
  const std::vector<double> floors(3, -1e9);
  const BlasSearch search(table);
  EXPECT_FALSE(search_from_floors(search, queries, 4, floors, 899).has_value());
  EXPECT_TRUE(search_from_floors(search, queries, 4, floors, 900).has_value());
}

TEST(SearchFromFloors, NoQueries) {
  const Matrix table = random_rows(Spread::kGaussian, 30, 5, 1);
  const auto found = search_from_floors(BlasSearch(table), Matrix(0, 5), 4, {}, kAny);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->queries, 0u);
}

}  // namespace
}  // namespace wordbridge::search_from_floors_test
