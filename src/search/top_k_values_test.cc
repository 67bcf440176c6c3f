#include "search/top_k_values.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wordbridge::top_k_values_test {
namespace {

// Whole numbers, so that values tie and sums are exact; with and without groups, and with a rest that is none.
TEST(TopKValues, AsSorting) {
  Random random(1);
  for (const std::size_t count : {1, 10, 63, 64, 65, 100, 128, 512, 1000})
    for (const std::size_t k : {1, 2, 10, 32, 33, 500}) {
      if (k > count) continue;
      TopKValues largest(k);
      for (int repeated = 0; repeated < 20; ++repeated) {
        std::vector<float> values(count);
        for (float& value : values) value = static_cast<float>(random.index(repeated < 10 ? 1000 : 20)) - 500;
        largest.select(values);
        std::sort(values.begin(), values.end(), std::greater<>());
        const double sum = std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
        EXPECT_EQ(largest.mean(), sum / static_cast<double>(k)) << count << " values, k " << k;
        EXPECT_EQ(largest.kth(), values[k - 1]) << count << " values, k " << k;
      }
    }
}

}  // namespace
}  // namespace wordbridge::top_k_values_test
