#include "align/choice/paired_outcomes.h"

#include <gtest/gtest.h>

#include <vector>

namespace wordbridge::paired_outcomes_test {
namespace {

TEST(PairedOutcomes, CountsWhatOnlyOneHasRight) {
  const std::vector<std::uint8_t> first = {1, 1, 0, 0, 1, 0}, second = {1, 0, 1, 0, 1, 1};
  const PairedOutcomes outcomes = PairedOutcomes::of(first, second);
  EXPECT_EQ(outcomes.gained, 2u);
  EXPECT_EQ(outcomes.lost, 1u);
}

TEST(PairedOutcomes, TheSignTestIsExact) {
  // Three coins: two heads or more in 4 of 8 cases; five coins, all heads: 1 of 32.
  EXPECT_NEAR((PairedOutcomes{2, 1}.p_value()), 0.5, 1e-12);
  EXPECT_NEAR((PairedOutcomes{5, 0}.p_value()), 1.0 / 32, 1e-12);
  EXPECT_NEAR((PairedOutcomes{3, 1}.p_value()), 5.0 / 16, 1e-12);
  EXPECT_NEAR((PairedOutcomes{0, 0}.p_value()), 1, 1e-12);
  EXPECT_NEAR((PairedOutcomes{0, 4}.p_value()), 1, 1e-12);
  EXPECT_LT((PairedOutcomes{400, 200}.p_value()), 1e-15);
  EXPECT_GT((PairedOutcomes{400, 200}.p_value()), 0);
}

TEST(PairedOutcomes, WilsonsInterval) {
  // Newcombe 1998: 81 of 263 has the interval from 0.2553 to 0.3662, 0 of 20 from 0 to 0.1611.
  const ShareInterval some = ShareInterval::of(81, 263), none = ShareInterval::of(0, 20);
  EXPECT_NEAR(some.low, 0.2553, 5e-5);
  EXPECT_NEAR(some.high, 0.3662, 5e-5);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.1611, 5e-5);
  EXPECT_EQ(ShareInterval::of(0, 0).high, 1);
}

}  // namespace
}  // namespace wordbridge::paired_outcomes_test
