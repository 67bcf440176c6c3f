#include "search/warm_start/query_slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::query_slots_test {
namespace {

using testing::ElementsAre;

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
}  // namespace wordbridge::query_slots_test
