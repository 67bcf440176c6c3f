#include "search/pruning/clusters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.h"
#include "linalg/random_matrix_test_support.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::clusters_test {

namespace {

using ::testing::ElementsAre;

TEST(Clusters, EveryRowIsInOneClusterUnlessItIsZero) {
  Matrix table = random_unit_rows(300, 12, 1);
  std::ranges::fill(table.row(7), 0.0f);
  std::ranges::fill(table.row(299), 0.0f);
  const Clusters clusters = assign_to_clusters(table, sample_centroids(table, 9));
  ASSERT_EQ(clusters.starts.size(), 10u);
  EXPECT_EQ(clusters.starts.back(), 298u);
  std::vector<std::uint32_t> all = clusters.rows;
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  EXPECT_FALSE(std::ranges::binary_search(all, 7u));
  EXPECT_FALSE(std::ranges::binary_search(all, 299u));
}

// Two directions from the mean (0.5, 0.5): along the first axis, and along the second.
TEST(Clusters, ByDirectionFromTheMean) {
  const float values[] = {1, 0, 0, 1, 0.9f, 0.1f, 0.2f, 0.8f};
  const ConstMatrixView table(values, 4, 2);
  const Clusters clusters = assign_to_clusters(table, sample_centroids(table.slice(0, 2), 2));
  EXPECT_THAT(clusters.at(0), ElementsAre(0, 2));
  EXPECT_THAT(clusters.at(1), ElementsAre(1, 3));
}

TEST(Clusters, OfNothing) {
  const Matrix zeros(5, 3);
  const Matrix centroids = sample_centroids(zeros, 4);
  EXPECT_EQ(centroids.rows(), 0u);
  EXPECT_EQ(assign_to_clusters(zeros, centroids).starts.size(), 1u);
  EXPECT_EQ(sample_centroids(Matrix(0, 3), 4).rows(), 0u);
}

TEST(ClusterOrder, EveryRowOnce) {
  Random random(1);
  for (const std::size_t rows : {0, 1, 5, 6, 7, 12, 13, 100, 3001})
    for (const std::size_t group : {1, 6, 16}) {
      Matrix points = Matrix::uninitialized(rows, 3);
      for (float& value : points.elements()) value = static_cast<float>(random.normal());
      std::vector<std::uint32_t> order = cluster_order(points, group);
      std::sort(order.begin(), order.end());
      ASSERT_EQ(order.size(), rows);
      for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(order[i], i);
    }
  EXPECT_THAT(cluster_order(Matrix(3, 0), 2), testing::ElementsAre(0, 1, 2));
}

/// Eight clouds far from each other, their rows mixed: each group of four rows is of one cloud.
TEST(ClusterOrder, GroupsAreAlike) {
  Random random(2);
  Matrix points = Matrix::uninitialized(64, 2);
  for (std::size_t i = 0; i < 64; ++i) {
    points(i, 0) = static_cast<float>(100.0 * static_cast<double>(i % 4) + random.uniform());
    points(i, 1) = static_cast<float>(50.0 * static_cast<double>(i / 4 % 2) + random.uniform());
  }
  const std::vector<std::uint32_t> order = cluster_order(points, 4);
  for (std::size_t g = 0; g < 64; g += 4) {
    std::set<std::uint32_t> clouds;
    for (std::size_t i = g; i < g + 4; ++i) clouds.insert(order[i] % 8);
    EXPECT_EQ(clouds.size(), 1u);
  }
  std::set<std::uint32_t> first;  // the groups are mixed: the first quarter is no single cloud
  for (std::size_t i = 0; i < 16; ++i) first.insert(order[i] % 8);
  EXPECT_GT(first.size(), 2u);
}

TEST(ClusterPools, EveryRowThatIsNotZeroHasOne) {
  const Matrix source = random_rows(Spread::kDecaying, 700, 9, 1), target = random_rows(Spread::kDecaying, 4000, 9, 2);
  const ClusterPools pools(source, target);
  EXPECT_FALSE(pools.empty());
  std::vector<int> visits(source.rows());
  pools.visit_sources(
      5, [&](std::uint32_t row, std::span<const std::uint32_t> pool, std::span<const float> products, double slack) {
        ++visits[row];
        ASSERT_EQ(products.size(), pool.size());
        EXPECT_EQ(std::set(pool.begin(), pool.end()).size(), pool.size());
        for (std::size_t i = 0; i < pool.size(); ++i)
          EXPECT_LE(std::abs(double{products[i]} -
                             double{exact_score(source.row(row).data(), target.row(pool[i]).data(), source.cols())}),
                    slack);
      });
  for (std::size_t i = 0; i < source.rows(); ++i) EXPECT_EQ(visits[i], is_zero(source.row(i)) ? 0 : 1) << "row " << i;
}

TEST(ClusterPools, NoneInSmallTablesAndNoneThatAreTooSmall) {
  const Matrix few = random_rows(Spread::kGaussian, 5, 9, 1), many = random_rows(Spread::kGaussian, 2000, 9, 3);
  const auto never = [](std::uint32_t, std::span<const std::uint32_t>, std::span<const float>, double) { FAIL(); };
  const ClusterPools none(many, few);
  EXPECT_TRUE(none.empty());
  none.visit_sources(1, never);
  ClusterPools(few, many).visit_targets(6, never);  // five sources cannot be six
}

}  // namespace

}  // namespace wordbridge::clusters_test
