#include "search/pruning/cluster_neighbors.h"

#include <gtest/gtest.h>

#include <set>

#include "base/effort_test_support.h"
#include "search/brute_force_search.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::cluster_neighbors_test {
namespace {

void expect_rows(const Neighbors& near, const Matrix& queries, const Matrix& rows, std::size_t k) {
  ASSERT_EQ(near.queries, queries.rows());
  ASSERT_EQ(near.found, std::min(k, rows_not_zero(rows).size()));
  for (std::size_t i = 0; i < near.queries; ++i) {
    const auto ids = near.ids_of(i);
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), near.found) << "row " << i;
    for (const std::uint32_t id : ids) EXPECT_FALSE(is_zero(rows.row(id))) << "row " << i;
  }
}

TEST(ClusterNeighbors, AreDifferentRowsThatAreNotZero) {
  std::uint64_t seed = 1;
  const std::vector<Spread> spreads = all_spreads();
  for (std::size_t s = 0; s < spreads.size(); s += effort(1, 4)) {
    SCOPED_TRACE(name_of(spreads[s]));
    const Matrix source = random_rows(spreads[s], 700, 9, ++seed), target = random_rows(spreads[s], 2000, 9, ++seed);
    const TwoSidedNeighbors near = cluster_neighbors(source, target, 7);
    expect_rows(near.of_source, source, target, 7);
    expect_rows(near.of_target, target, source, 7);
  }
}

TEST(ClusterNeighbors, AnyWhereThereAreNoClusters) {
  const Matrix few = random_rows(Spread::kGaussian, 5, 9, 1), some = random_rows(Spread::kSparse, 500, 9, 2);
  const TwoSidedNeighbors near = cluster_neighbors(few, some, 7);
  expect_rows(near.of_source, few, some, 7);
  expect_rows(near.of_target, some, few, 7);
  EXPECT_EQ(cluster_neighbors(Matrix(0, 9), some, 3).of_target.found, 0u);
  EXPECT_EQ(cluster_neighbors(Matrix(4, 9), some, 3).of_target.found, 0u) << "zero rows are nobody's neighbors";
}

// Many of them are among the k that are nearest indeed.
TEST(ClusterNeighbors, AreNear) {
  const std::size_t k = 10;
  const Matrix rows = random_rows(Spread::kClustered, 4500, 20, 1);
  const Matrix source = Matrix::copy_of(rows.view().slice(0, 500)),
               target = Matrix::copy_of(rows.view().slice(500, 4500));
  const TwoSidedNeighbors near = cluster_neighbors(source, target, k);
  const Neighbors nearest = BruteForceSearch(target).search(source, k);
  std::size_t found = 0;
  for (std::size_t i = 0; i < source.rows(); ++i) {
    const auto ids = near.of_source.ids_of(i);
    for (const std::uint32_t id : nearest.ids_of(i)) found += std::ranges::find(ids, id) != ids.end();
  }
  EXPECT_GT(found, source.rows() * k / 4);
}

}  // namespace
}  // namespace wordbridge::cluster_neighbors_test
