#include "search/pruning/cluster_order.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "base/random.h"

namespace wordbridge::cluster_order_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::cluster_order_test
