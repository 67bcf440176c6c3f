#include "search/warm_start/block_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "search/kernels/kernel_choice.h"

namespace wordbridge::block_bounds_test {

namespace {

using testing::ElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(BlockBounds, AreRoundedUpAndNotByMuch) {
  Random random(1);
  for (const float scale : {1.0f, 3e-7f, 5e8f}) {
    std::vector<float> bounds(500);
    for (float& bound : bounds) bound = scale * static_cast<float>(0.3 * random.normal());
    const float top = 0.4f * scale;
    std::vector<std::uint8_t> memory(500);
    BlockBounds packed(memory);
    EXPECT_FALSE(packed.known());
    packed.assign(bounds, top, scale);
    EXPECT_TRUE(packed.known());
    ASSERT_EQ(packed.size(), 500u);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      EXPECT_GE(packed[i], bounds[i]);
      if (bounds[i] > top + 0.05f * scale) {
        EXPECT_GT(packed[i], top + 0.045f * scale);
      } else {
        EXPECT_LE(packed[i], std::max(bounds[i], top - 0.45f * scale) + 0.005f * scale);
      }
    }
  }
}

TEST(BlockBounds, AboveAllLevelsIsInfinite) {
  std::vector<std::uint8_t> memory(3);
  BlockBounds packed(memory);
  packed.assign(std::vector<float>{0.6f, -kInfinity, kInfinity}, 0.5f, 1.0f);
  EXPECT_EQ(packed[0], kInfinity);
  EXPECT_NEAR(packed[1], 0.05, 0.005);
  EXPECT_EQ(packed[2], kInfinity);
  packed.set(2, 0.3f);
  EXPECT_NEAR(packed[2], 0.3, 0.005);
}

/// Step by step, by every kernel: never below the bounds as they should be.
TEST(BlockBounds, MovedTheyStayBounds) {
  for (const Kernels* kernels : available_kernels()) {
    Random random(2);
    std::vector<float> gains(300);
    std::vector<double> real(300);
    for (std::size_t i = 0; i < real.size(); ++i)
      real[i] = gains[i] = static_cast<float>(0.5 - 0.2 * std::fabs(random.normal()));
    std::vector<std::uint8_t> memory(300);
    BlockBounds packed(memory);
    packed.assign(gains, 0.5f, 1.0f);
    for (int step = 0; step < 20; ++step) {
      const double factor = 0.95 + 0.1 * random.uniform(), slack = 0.001 * random.uniform();
      for (std::size_t i = 0; i < real.size(); ++i) {
        gains[i] = static_cast<float>(0.02 * random.normal());
        real[i] = factor * real[i] + gains[i] + slack;
      }
      packed.move(factor, slack + 1e-6, 0.5f, 1.0f, *kernels->score, gains);
      for (std::size_t i = 0; i < real.size(); ++i) {
        EXPECT_GE(gains[i], real[i]);
        EXPECT_GE(packed[i], gains[i]);
      }
    }
  }
}

TEST(BlockBounds, LevelsThatCannotBeToldApart) {
  EXPECT_TRUE(BlockBounds::can_be(0.5f, 1.0f));
  EXPECT_FALSE(BlockBounds::can_be(-kInfinity, 1.0f));
  EXPECT_FALSE(BlockBounds::can_be(0.5f, 0.0f));
  EXPECT_FALSE(BlockBounds::can_be(1e9f, 1.0f));
  EXPECT_FALSE(BlockBounds::can_be(0.5f, kInfinity));
}

void know(QuerySlot& slot, float value) {
  std::ranges::fill(slot.query, value);
  slot.bounds.assign(std::vector<float>{value, 2 * value}, 1.0f, 1.0f);
  slot.best = {static_cast<std::uint32_t>(10 * value)};
}

TEST(QuerySlots, GrowAndStayWhereTheyAre) {
  QuerySlots slots(3, 2);
  slots.grow(2);
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_FALSE(slots[1].bounds.known());
  know(slots[0], 0.6f);
  know(slots[1], 0.7f);
  const float* query = slots[0].query.data();
  slots.grow(40);
  slots.grow(5);  // there are more
  ASSERT_EQ(slots.size(), 40u);
  EXPECT_EQ(slots[0].query.data(), query);
  EXPECT_THAT(slots[0].query, ElementsAre(0.6f, 0.6f, 0.6f));
  EXPECT_NEAR(slots[1].bounds[0], 0.7, 0.005);
  EXPECT_FALSE(slots[2].bounds.known());
  EXPECT_EQ(slots[39].query.size(), 3u);
  EXPECT_EQ(slots[39].bounds.size(), 2u);
  know(slots[39], 0.8f);  // no slot lies over another
  EXPECT_THAT(slots[1].query, ElementsAre(0.7f, 0.7f, 0.7f));
}

TEST(QuerySlots, CopiesAreTheirOwn) {
  QuerySlots slots(3, 2), others(3, 2);
  others.grow(2);
  know(others[0], 0.6f);
  others[1].best = {4};
  slots.grow(3);
  know(slots[1], 0.9f);
  slots.copy(0, others[0], false);
  slots.copy(1, others[1], false);
  slots.copy(2, others[0], true);
  know(others[0], 0.8f);
  EXPECT_THAT(slots[0].query, ElementsAre(0.6f, 0.6f, 0.6f));
  EXPECT_NEAR(slots[0].bounds[0], 0.6, 0.005);
  EXPECT_THAT(slots[0].best, ElementsAre(6));
  EXPECT_FALSE(slots[1].bounds.known());  // as little as the other knows
  EXPECT_THAT(slots[1].best, ElementsAre(4));
  EXPECT_FALSE(slots[2].bounds.known());
  EXPECT_THAT(slots[2].best, ElementsAre(6));
}

TEST(QuerySlots, WithoutBlocksOnlyAnswers) {
  QuerySlots slots(3, 0);
  slots.grow(2);
  EXPECT_TRUE(slots[1].query.empty());
  EXPECT_EQ(slots[1].bounds.size(), 0u);
  EXPECT_FALSE(slots[1].bounds.known());
  slots[1].best = {1, 2};
  slots.clear();
  EXPECT_EQ(slots.size(), 0u);
}

}  // namespace

}  // namespace wordbridge::block_bounds_test
