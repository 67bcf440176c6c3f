#include "search/top_k.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace wordbridge::top_k_test {

namespace {

template <typename Score>
class AnyScore : public testing::Test {};
using Scores = testing::Types<float, double>;
TYPED_TEST_SUITE(AnyScore, Scores);

TYPED_TEST(AnyScore, KeepsTheBestInAnyOrderOfOffering) {
  using Entry = Scored<TypeParam>;
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<Entry> rows(random.index(40));
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = {static_cast<TypeParam>(random.index(6)), static_cast<std::uint32_t>(i)};
    std::vector<Entry> expected = rows;
    std::sort(expected.begin(), expected.end(), [](const Entry& a, const Entry& b) { return a.better_than(b); });
    random.shuffle(rows);
    TopK<TypeParam> best(7);
    for (const Entry& row : rows) best.offer(row.score, row.id);
    const std::vector<Entry> copied = best.sorted(), found = best.take_sorted();
    ASSERT_EQ(found.size(), std::min<std::size_t>(7, rows.size()));
    ASSERT_EQ(copied.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].id, expected[i].id);
      EXPECT_EQ(found[i].score, expected[i].score);
      EXPECT_EQ(copied[i].id, expected[i].id);
    }
  }
}

TYPED_TEST(AnyScore, ThresholdIsTheWorstOfAFullList) {
  TopK<TypeParam> best(2);
  EXPECT_EQ(best.threshold(), -std::numeric_limits<TypeParam>::infinity());
  best.offer(3, 0);
  EXPECT_EQ(best.threshold(), -std::numeric_limits<TypeParam>::infinity());
  best.offer(1, 1);
  EXPECT_EQ(best.threshold(), 1);
  best.offer(2, 2);
  EXPECT_EQ(best.threshold(), 2);
  best.offer(2, 1);  // ties by lower id
  EXPECT_EQ(best.take_sorted()[1].id, 1u);
  EXPECT_EQ(best.threshold(), -std::numeric_limits<TypeParam>::infinity());
}

TYPED_TEST(AnyScore, OfNothing) {
  TopK<TypeParam> best(0);
  best.offer(3, 0);
  EXPECT_EQ(best.size(), 0u);
  EXPECT_EQ(best.threshold(), -std::numeric_limits<TypeParam>::infinity());
}

TEST(PushTopK, AsSortingAfterEveryValue) {
  Random random(1);
  for (const std::size_t k : {1, 2, 3, 4, 7, 10, 33}) {
    std::vector<float> heap(k), pushed;
    std::uint32_t size = 0;
    for (int i = 0; i < 200; ++i) {
      const bool had = pushed.size() >= k;
      const float before = had ? heap[0] : 0;
      pushed.push_back(static_cast<float>(random.index(i < 100 ? 20 : 1000)));
      const bool changed = push_top_k(pushed.back(), k, heap.data(), size);
      ASSERT_EQ(size, std::min(k, pushed.size()));
      std::vector<float> expected = pushed, actual(heap.begin(), heap.begin() + size);
      std::sort(expected.begin(), expected.end(), std::greater<>());
      expected.resize(size);
      ASSERT_EQ(heap[0], expected.back());
      std::sort(actual.begin(), actual.end(), std::greater<>());
      ASSERT_EQ(actual, expected) << "k " << k << ", value " << i;
      EXPECT_FALSE(changed && size < k);
      EXPECT_FALSE(!changed && size == k && (!had || heap[0] > before));
    }
  }
}

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

}  // namespace wordbridge::top_k_test
