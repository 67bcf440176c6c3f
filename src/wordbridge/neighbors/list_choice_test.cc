#include "wordbridge/neighbors/list_choice.h"

#include <gtest/gtest.h>

namespace wordbridge::list_choice_test {
namespace {

bool wants_all(const ListChoice& choice) { return choice.wants(1); }

// A list costs 400 scores and a quarter of a scan.
TEST(ListChoice, BeginsWithListsWhereTheyCostLessThanAScan) {
  EXPECT_TRUE(wants_all(ListChoice(600)));
  EXPECT_FALSE(wants_all(ListChoice(500)));
}

TEST(ListChoice, SomeAreAlwaysTried) {
  const ListChoice choice(1);
  EXPECT_TRUE(choice.wants(0));
  EXPECT_TRUE(choice.wants(128));
  EXPECT_FALSE(choice.wants(129));
}

TEST(ListChoice, AListMustSaveWhatItCosts) {
  // A scan of 1,000 scores, a list of 650, an answer of 100: it must answer 650 / 900 times, so 42% of the lists.
  for (const std::size_t answered : {43, 41}) {
    ListChoice choice(1000);
    for (int call = 0; call < 3; ++call) choice.learn(100, answered, 100 * answered);
    EXPECT_EQ(wants_all(choice), answered == 43);
  }
  // Answers that cost as much as a scan save nothing.
  ListChoice dear(1000);
  dear.learn(100, 100, 100'000);
  EXPECT_FALSE(wants_all(dear));
}

TEST(ListChoice, OneBadCallIsNotTheEnd) {
  ListChoice choice(1000);
  choice.learn(100, 90, 4500);
  choice.learn(100, 10, 500);  // 50% of the two
  EXPECT_TRUE(wants_all(choice));
  choice.learn(100, 10, 500);
  EXPECT_FALSE(wants_all(choice));
  choice.learn(0, 0, 0);  // nothing was tried, nothing is learned
  EXPECT_FALSE(wants_all(choice));
  choice.learn(2, 2, 100);
  choice.learn(2, 2, 100);
  EXPECT_TRUE(wants_all(choice));
}

}  // namespace
}  // namespace wordbridge::list_choice_test
