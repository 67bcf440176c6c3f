#include "evaluation/entry_scores.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace wordbridge::entry_scores_test {
namespace {

/// By hand, with threshold 0.5: word 0 has translations 1, 2, of which 1 is named, and 7, which is wrong; word 1 has 3,
/// named; word 2 has 4, 5, 6, of which none is named; word 3 is not covered.
std::vector<JudgedWord> words() {
  return {{{1, 2}, {1, 7, 2}, {0.9, 0.6, 0.4}},
          {{3}, {3, 8}, {0.8, 0.1}},
          {{4, 5, 6}, {9, 4}, {0.3, 0.2}},
          {{}, {1}, {0.99}}};
}

TEST(EntryScores, AreWhatHandsWorkOut) {
  const EntryScores scores = evaluate_entries(words(), 4, nullptr, {.threshold = 0.5});
  EXPECT_EQ(scores.all.words, 3u);
  EXPECT_EQ(scores.all.known, 6u);
  EXPECT_EQ(scores.all.named, 3u);
  EXPECT_EQ(scores.all.right, 2u);
  EXPECT_NEAR(scores.precision.value, 200.0 / 3, 1e-9);
  EXPECT_NEAR(scores.recall.value, 100.0 / 3, 1e-9);
  EXPECT_NEAR(scores.f1.value, 400.0 / 9, 1e-9);
  // Likeliest first: 1 right, 3 right, 7 wrong, 2 right (3 of 4), 9 wrong, 4 right (4 of 6), 8 wrong.
  EXPECT_NEAR(scores.average_precision.value, 100 * (1 + 1 + 3.0 / 4 + 4.0 / 6) / 6, 1e-9);
  EXPECT_NEAR(scores.recall_at_80, 200.0 / 6, 1e-9);
  EXPECT_NEAR(scores.first_right, 50, 1e-9);
  EXPECT_EQ(scores.groups[0].right, 1u);
  EXPECT_EQ(scores.groups[1].named, 2u);
  EXPECT_EQ(scores.groups[2].known, 3u);
  EXPECT_EQ(scores.groups[3].words, 0u);
}

TEST(EntryScores, CalibrationIsByTenths) {
  const EntryScores scores = evaluate_entries(words(), 4, nullptr, {.threshold = 0.5});
  EXPECT_EQ(scores.bins[9].candidates, 1u);
  EXPECT_NEAR(scores.bins[9].probability, 90, 1e-9);
  EXPECT_NEAR(scores.bins[9].right, 100, 1e-9);
  // 0.9 right, 0.6 wrong, 0.4 right, 0.8 right, 0.1 wrong, 0.3 wrong, 0.2 right
  EXPECT_NEAR(scores.calibration_error, 100 * (0.1 + 0.6 + 0.6 + 0.2 + 0.1 + 0.3 + 0.8) / 7, 1e-9);
}

TEST(EntryScores, IntervalsHoldTheValue) {
  const EntryScores scores = evaluate_entries(words(), 4, nullptr, {.threshold = 0.5});
  EXPECT_LE(scores.f1.low, scores.f1.value);
  EXPECT_GE(scores.f1.high, scores.f1.value);
  EXPECT_LT(scores.f1.low, scores.f1.high);
}

TEST(EntryScores, ComeBackFromJson) {
  const std::string json = to_json(evaluate_entries(words(), 4, nullptr, {.threshold = 0.5, .words = 7}));
  EXPECT_EQ(to_json(parse_entry_scores(json)), json);
  EXPECT_THROW(parse_entry_scores("{}"), std::runtime_error);
}

TEST(EntryScores, OfNothingAreZero) {
  const EntryScores scores = evaluate_entries({}, 0, nullptr, {});
  EXPECT_EQ(scores.f1.value, 0);
  EXPECT_EQ(scores.average_precision.high, 0);
  EXPECT_TRUE(Json::accept(to_json(scores)));
}

}  // namespace
}  // namespace wordbridge::entry_scores_test
