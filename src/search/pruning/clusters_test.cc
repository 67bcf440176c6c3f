#include "search/pruning/clusters.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "linalg/random_matrix_test_support.h"

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

}  // namespace
}  // namespace wordbridge::clusters_test
