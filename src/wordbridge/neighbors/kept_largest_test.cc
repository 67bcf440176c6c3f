#include "wordbridge/neighbors/kept_largest.h"

#include <gtest/gtest.h>

#include <vector>

#include "wordbridge/base/random.h"

namespace wordbridge::kept_largest_test {
namespace {

TEST(KeptLargest, AsSortingAfterEveryValue) {
  Random random(1);
  for (const std::size_t k : {1, 2, 3, 4, 7, 10, 33}) {
    std::vector<float> kept(k), offered;
    std::uint32_t count = 0;
    for (int i = 0; i < 200; ++i) {
      const bool had = offered.size() >= k;
      const float before = had ? kept[0] : 0;
      offered.push_back(static_cast<float>(random.index(i < 100 ? 20 : 1000)));
      const bool risen = keep_largest(offered.back(), k, kept.data(), count);
      ASSERT_EQ(count, std::min(k, offered.size()));
      std::vector<float> expected = offered, actual(kept.begin(), kept.begin() + count);
      std::sort(expected.begin(), expected.end(), std::greater<>());
      expected.resize(count);
      ASSERT_EQ(kept[0], expected.back());
      std::sort(actual.begin(), actual.end(), std::greater<>());
      ASSERT_EQ(actual, expected) << "k " << k << ", value " << i;
      EXPECT_FALSE(risen && count < k);
      EXPECT_FALSE(!risen && count == k && (!had || kept[0] > before));
    }
  }
}

}  // namespace
}  // namespace wordbridge::kept_largest_test
