#include "wordbridge/hubness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "retrieval/csls/csls.h"
#include "retrieval/nearest.h"
#include "space/space_test_support.h"

namespace wordbridge::hubness_test {
namespace {

using ::testing::ElementsAre;

// SciPy 1.10.1 (Debian 12's python3-scipy): from scipy.stats import skew; skew([0, 0, 0, 1, 1, 2, 3, 3, 5, 20, 0, 7])
TEST(Hubness, SkewnessAsInSciPy) {
  const std::vector<std::size_t> values = {0, 0, 0, 1, 1, 2, 3, 3, 5, 20, 0, 7};
  EXPECT_NEAR(skewness_of(values), 2.2820144824764412, 1e-12);
}

TEST(Hubness, SkewnessByHand) {
  // Mean 1, deviations -1 -1 -1 3: squares 12 / 4 = 3, cubes 24 / 4 = 6; 6 / (3 sqrt 3).
  EXPECT_NEAR(skewness_of(std::vector<std::size_t>{0, 0, 0, 4}), 2 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(skewness_of(std::vector<std::size_t>{1, 3}), 0);
  EXPECT_EQ(skewness_of(std::vector<std::size_t>{5, 5, 5}), 0);
  EXPECT_EQ(skewness_of({}), 0);
}

/// Four source words and four targets of unit length, and a zero row in each table.
struct HubnessTest : ::testing::Test {
  HubnessTest() {
    const float source_rows[][3] = {{1, 0, 0}, {0.8F, 0.6F, 0}, {0, 0, 0}, {0.8F, 0, 0.6F}, {0.6F, 0.8F, 0}};
    const float target_rows[][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, -1}};
    for (std::size_t i = 0; i < 5; ++i) {
      std::copy_n(source_rows[i], 3, sources.row(i).data());
      std::copy_n(target_rows[i], 3, targets.row(i).data());
    }
  }
  Matrix sources{5, 3}, targets{5, 3};
};

// With k = 1, words 0, 1 and 3 choose target 1, word 4 chooses target 2; N_1 over the targets 0, 1, 2 and 4: 0 3 1 0.
TEST_F(HubnessTest, KnownAnswer) {
  const CommonSpace space = space_of(sources, targets);
  const Nearest nearest(space);
  const Hubness result = evaluate_hubness(nearest, space, {.k = 1, .hubs = 5, .choosers = 2});
  EXPECT_EQ(result.criterion, "nn");
  EXPECT_EQ(result.queries, 4);
  EXPECT_EQ(result.targets, 4);
  EXPECT_EQ(result.never, 2);
  EXPECT_EQ(result.never_percent(), 50);
  EXPECT_EQ(result.largest(), 3);
  EXPECT_DOUBLE_EQ(result.skewness, skewness_of(std::vector<std::size_t>{0, 3, 1, 0}));
  EXPECT_THAT(result.histogram, ElementsAre(2, 1, 1));
  ASSERT_EQ(result.hubs.size(), 2);
  EXPECT_EQ(result.hubs[0].target, 1);
  EXPECT_EQ(result.hubs[0].occurrences, 3);
  EXPECT_THAT(result.hubs[0].chosen_by, ElementsAre(0, 1));
  EXPECT_EQ(result.hubs[1].target, 2);
  EXPECT_THAT(result.hubs[1].chosen_by, ElementsAre(4));
}

TEST_F(HubnessTest, WordsThatRankAHubBestComeFirst) {
  const CommonSpace space = space_of(sources, targets);
  const Nearest nearest(space);
  const Hubness result = evaluate_hubness(nearest, space, {.k = 2});
  ASSERT_FALSE(result.hubs.empty());
  EXPECT_EQ(result.hubs[0].target, 1);
  EXPECT_EQ(result.hubs[0].occurrences, 4);
  EXPECT_THAT(result.hubs[0].chosen_by, ElementsAre(0, 1, 3, 4));
}

TEST_F(HubnessTest, TheOtherSideMayAsk) {
  const CommonSpace space = space_of(sources, targets), turned = space_of(targets, sources);
  const Hubness one = evaluate_hubness(Csls(space), space, {.k = 2});
  const Hubness other = evaluate_hubness(Csls(turned, {}, Side::target), turned, {.k = 2}, Side::target);
  EXPECT_EQ(one.queries, other.queries);
  EXPECT_EQ(one.skewness, other.skewness);
  EXPECT_EQ(one.histogram, other.histogram);
  ASSERT_EQ(one.hubs.size(), other.hubs.size());
  EXPECT_EQ(one.hubs[0].target, other.hubs[0].target);
  EXPECT_EQ(one.hubs[0].chosen_by, other.hubs[0].chosen_by);
}

TEST_F(HubnessTest, OnlyTheFirstWordsAsk) {
  const CommonSpace space = space_of(sources, targets);
  const Nearest nearest(space);
  EXPECT_EQ(evaluate_hubness(nearest, space, {.k = 1, .max_words = 3}).queries, 2);
}

TEST_F(HubnessTest, CslsHoldsHubsBack) {
  const CommonSpace space = space_of(sources, targets);
  const Nearest nearest(space);
  const Csls csls(space, {.neighbors = 2});
  const HubnessOptions options = {.k = 1};
  EXPECT_LT(evaluate_hubness(csls, space, options).largest(), evaluate_hubness(nearest, space, options).largest());
}

TEST_F(HubnessTest, NothingAsks) {
  const CommonSpace space = space_of(ConstMatrixView(sources).slice(2, 3), targets);
  const Hubness result = evaluate_hubness(Nearest(space), space);
  EXPECT_EQ(result.queries, 0);
  EXPECT_EQ(result.never, 4);
  EXPECT_TRUE(result.hubs.empty());
  EXPECT_EQ(result.largest(), 0);
}

TEST(Hubness, HistogramLabels) {
  EXPECT_EQ(histogram_label(0), "0");
  EXPECT_EQ(histogram_label(1), "1");
  EXPECT_EQ(histogram_label(2), "2-3");
  EXPECT_EQ(histogram_label(5), "16-31");
}

}  // namespace
}  // namespace wordbridge::hubness_test
