#include "search/warm_start/block_bounds.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "search/kernels/kernel_choice.h"

namespace wordbridge::block_bounds_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::block_bounds_test
