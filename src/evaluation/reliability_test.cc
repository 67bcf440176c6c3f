#include "evaluation/reliability.h"

#include <gtest/gtest.h>

namespace wordbridge::reliability_test {
namespace {

WordTranslation::Word answered(double probability, bool right, bool covered = true) {
  return {"w", covered, {"gold"}, {"candidate"}, {probability}, right ? 1UL : 0UL};
}

TEST(Reliability, BinsAndErrorByHand) {
  WordTranslation result;
  // Two at 0.75, one right: 50 instead of 75. One at 1, right. One at 0.1, wrong: 0 instead of 10.
  result.words = {answered(0.7, true),  answered(0.79, false),      answered(1, true),
                  answered(0.1, false), answered(0.9, true, false), {"silent", true, {"gold"}, {}, {}, 0}};
  const Reliability reliability = evaluate_reliability(result);
  EXPECT_EQ(reliability.words, 4);
  ASSERT_EQ(reliability.bins.size(), 10);
  EXPECT_EQ(reliability.bins[7].words, 2);
  EXPECT_NEAR(reliability.bins[7].probability, 74.5, 1e-9);
  EXPECT_NEAR(reliability.bins[7].right, 50, 1e-9);
  EXPECT_EQ(reliability.bins[9].words, 1);
  EXPECT_EQ(reliability.bins[1].words, 1);
  EXPECT_NEAR(reliability.error, (2 * 24.5 + 0 + 10) / 4, 1e-9);
}

TEST(Reliability, OfNothing) {
  const Reliability reliability = evaluate_reliability({});
  EXPECT_EQ(reliability.words, 0);
  EXPECT_EQ(reliability.error, 0);
}

}  // namespace
}  // namespace wordbridge::reliability_test
