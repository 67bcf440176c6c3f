#include "search/warm_start/candidate_list_policy.h"

#include <gtest/gtest.h>

namespace wordbridge::candidate_list_policy_test {
namespace {

bool wants_all(const CandidateListPolicy& policy) { return policy.wants(1); }

// A list costs 400 scores and a quarter of a scan.
TEST(CandidateListPolicy, BeginsWithListsWhereTheyCostLessThanAScan) {
  EXPECT_TRUE(wants_all(CandidateListPolicy(600)));
  EXPECT_FALSE(wants_all(CandidateListPolicy(500)));
}

TEST(CandidateListPolicy, SomeAreAlwaysTried) {
  const CandidateListPolicy policy(1);
  EXPECT_TRUE(policy.wants(0));
  EXPECT_TRUE(policy.wants(128));
  EXPECT_FALSE(policy.wants(129));
}

TEST(CandidateListPolicy, AListMustSaveWhatItCosts) {
  // A scan of 1,000 scores, a list of 650, an answer of 100: it must answer 650 / 900 times, so 42% of the lists.
  for (const std::size_t answered : {43, 41}) {
    CandidateListPolicy policy(1000);
    for (int call = 0; call < 3; ++call) policy.learn(100, answered, 100 * answered);
    EXPECT_EQ(wants_all(policy), answered == 43);
  }
  // Answers that cost as much as a scan save nothing.
  CandidateListPolicy dear(1000);
  dear.learn(100, 100, 100'000);
  dear.learn(100, 100, 100'000);
  EXPECT_FALSE(wants_all(dear));
}

TEST(CandidateListPolicy, OneBadCallIsNotTheEnd) {
  CandidateListPolicy policy(1000);
  policy.learn(100, 10, 500);  // a first long step
  EXPECT_TRUE(wants_all(policy));
  policy.learn(100, 90, 4500);
  policy.learn(100, 10, 500);
  EXPECT_TRUE(wants_all(policy));
  policy.learn(100, 10, 500);
  EXPECT_FALSE(wants_all(policy));
  policy.learn(0, 0, 0);  // nothing was tried, nothing is learned
  EXPECT_FALSE(wants_all(policy));
  policy.learn(2, 2, 100);
  EXPECT_TRUE(wants_all(policy));
}

}  // namespace
}  // namespace wordbridge::candidate_list_policy_test
