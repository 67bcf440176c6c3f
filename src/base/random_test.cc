#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace wordbridge::random_test {
namespace {

TEST(Random, IsTheEngineOfTheStandard) {
  // The C++ standard requires this 10000th value of mt19937_64 with its default seed.
  Random random(5489);
  for (int i = 1; i < 10000; ++i) random.bits();
  EXPECT_EQ(random.bits(), 9981545732273789042u);
}

TEST(Random, TheSameSeedGivesTheSameNumbers) {
  Random a(17), b(17), c(18);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const double value = a.normal();
    EXPECT_EQ(value, b.normal());
    differs |= value != c.normal();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, UniformStaysInItsRangeAndFillsIt) {
  Random random(1);
  double smallest = 1, largest = 0, sum = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
    sum += value;
  }
  EXPECT_LT(smallest, 0.001);
  EXPECT_GT(largest, 0.999);
  EXPECT_NEAR(sum / kDraws, 0.5, 0.005);  // 5 standard errors
}

TEST(Random, IndexesAreEquallyFrequent) {
  Random random(2);
  std::array<int, 7> counts{};
  constexpr int kDraws = 70'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.index(counts.size()));
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 7, 500);  // 5 standard deviations
}

TEST(Random, IndexRejectsWhatWouldFavorSmallOnes) {
  // With n = 3 * 2^62 a plain modulo would hit [0, 2^62) twice as often as each other third.
  Random random(3);
  const std::size_t n = std::size_t{3} << 62;
  int low = 0;
  constexpr int kDraws = 9000;
  for (int i = 0; i < kDraws; ++i) {
    const std::size_t value = random.index(n);
    ASSERT_LT(value, n);
    low += value < (std::size_t{1} << 62) ? 1 : 0;
  }
  EXPECT_NEAR(low, kDraws / 3, 225);  // 5 standard deviations; a biased one would give kDraws / 2
  EXPECT_EQ(random.index(1), 0u);
}

TEST(Random, NormalHasItsMoments) {
  Random random(4);
  constexpr int kDraws = 200'000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.012);
  EXPECT_NEAR(squares / kDraws, 1, 0.016);
  EXPECT_NEAR(fourth / kDraws, 3, 0.11);
}

TEST(Random, ShufflePermutesAndEveryOrderOccurs) {
  Random random(5);
  std::set<std::vector<int>> orders;
  for (int i = 0; i < 200; ++i) {
    std::vector<int> items = {1, 2, 3};
    random.shuffle(items);
    orders.insert(items);
    std::sort(items.begin(), items.end());
    EXPECT_EQ(items, (std::vector<int>{1, 2, 3}));
  }
  EXPECT_EQ(orders.size(), 6u);
  std::vector<int> none;
  random.shuffle(none);
  EXPECT_TRUE(none.empty());
}

TEST(Random, SampleIsDistinctAndWithinRange) {
  Random random(6);
  const auto sample = random.sample(1000, 300);
  EXPECT_EQ(sample.size(), 300u);
  EXPECT_EQ(std::set<std::size_t>(sample.begin(), sample.end()).size(), 300u);
  EXPECT_LT(*std::max_element(sample.begin(), sample.end()), 1000u);

  auto all = random.sample(50, 50);
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> expected(50);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  EXPECT_EQ(all, expected);
  EXPECT_TRUE(random.sample(5, 0).empty());
}

TEST(StreamSeed, NestedStreamsDoNotMeet) {
  EXPECT_EQ(stream_seed(0, 0), stream_seed(0, 0));
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint64_t outer = 0; outer < 10; ++outer)
      for (std::uint64_t inner = 0; inner < 40; ++inner) seen.insert(stream_seed(stream_seed(seed, outer), inner));
  EXPECT_EQ(seen.size(), 4000u);
}

}  // namespace
}  // namespace wordbridge::random_test
