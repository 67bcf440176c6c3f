#include "search/pruning/cluster_pools.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::cluster_pools_test {
namespace {

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
}  // namespace wordbridge::cluster_pools_test
