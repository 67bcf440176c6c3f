#include "evaluation/reliability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::reliability_test {

namespace {

using ::testing::ElementsAre;
using ::testing::Field;

WordTranslation::Word answered(const char* word, double score, std::size_t rank, bool covered = true) {
  return {word, covered, {"gold"}, {std::string("t-") + word, "other"}, {score, score / 2}, rank};
}

TEST(ConfidentTranslations, SurestFirstRightAndWrongApart) {
  WordTranslation result;
  result.words = {answered("low", 0.1, 1),   answered("high", 0.9, 1),           answered("wrong", 0.8, 2),
                  answered("worse", 0.8, 0), answered("uncovered", 1, 0, false), {"silent", true, {"gold"}, {}, {}, 0}};
  const auto word = [](const char* name) { return Field(&ConfidentTranslation::word, name); };
  EXPECT_THAT(confident_translations(result, true, 10), ElementsAre(word("high"), word("low")));
  EXPECT_THAT(confident_translations(result, false, 10), ElementsAre(word("wrong"), word("worse")));
  EXPECT_THAT(confident_translations(result, false, 1), ElementsAre(word("wrong")));
  const ConfidentTranslation first = confident_translations(result, true, 1).at(0);
  EXPECT_EQ(first.translation, "t-high");
  EXPECT_EQ(first.score, 0.9);
  EXPECT_THAT(first.gold, ElementsAre("gold"));
}

WordTranslation::Word likely(double probability, bool right, bool covered = true) {
  return {"w", covered, {"gold"}, {"candidate"}, {probability}, right ? 1UL : 0UL};
}

TEST(Reliability, BinsAndErrorByHand) {
  WordTranslation result;
  // Two at 0.75, one right: 50 instead of 75. One at 1, right. One at 0.1, wrong: 0 instead of 10.
  result.words = {likely(0.7, true),  likely(0.79, false),      likely(1, true),
                  likely(0.1, false), likely(0.9, true, false), {"silent", true, {"gold"}, {}, {}, 0}};
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
