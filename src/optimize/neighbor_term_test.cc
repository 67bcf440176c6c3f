#include "optimize/neighbor_term.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "wordbridge/error.h"

namespace wordbridge::neighbor_term_test {
namespace {

/// What the convexity of the loss rests on, over all terms and temperatures.
class NeighborTermContract : public testing::TestWithParam<std::tuple<const char*, double>> {
 protected:
  std::unique_ptr<NeighborTerm> term = make_neighbor_term(std::get<0>(GetParam()), std::get<1>(GetParam()));

  double value(const std::vector<double>& scores) const {
    std::vector<double> weights(scores.size());
    return term->evaluate(scores, weights);
  }
  static std::vector<double> random_scores(std::size_t count, Random& random) {
    std::vector<double> scores(count);
    for (double& score : scores) score = 2 * random.uniform() - 1;
    return scores;
  }
};

TEST_P(NeighborTermContract, KnowsItsName) { EXPECT_EQ(term->name(), std::get<0>(GetParam())); }

TEST_P(NeighborTermContract, WeightsAreTheDerivatives) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> scores = random_scores(1 + random.index(12), random), weights(scores.size());
    term->evaluate(scores, weights);
    const double step = 1e-5;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double score = scores[i];
      scores[i] = score + step;
      const double above = value(scores);
      scores[i] = score - step;
      const double below = value(scores);
      scores[i] = score;
      EXPECT_NEAR(weights[i], (above - below) / (2 * step), 1e-6);
    }
  }
}

TEST_P(NeighborTermContract, WeightsAreNotNegativeAndSumToOne) {
  Random random(2);
  std::vector<double> scores = random_scores(10, random), weights(10);
  term->evaluate(scores, weights);
  double sum = 0;
  for (const double weight : weights) {
    EXPECT_GE(weight, 0);
    sum += weight;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST_P(NeighborTermContract, IsConvexAndSymmetric) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> a = random_scores(6, random);
    const std::vector<double> b = random_scores(6, random);
    const double t = random.uniform();
    std::vector<double> between(6);
    for (std::size_t i = 0; i < 6; ++i) between[i] = (1 - t) * a[i] + t * b[i];
    EXPECT_LE(value(between), (1 - t) * value(a) + t * value(b) + 1e-12);
    const double before = value(a);
    random.shuffle(a);
    EXPECT_NEAR(value(a), before, 1e-12);
  }
}

TEST_P(NeighborTermContract, TheLargestScoresGiveTheMaximumOverAllSubsets) {
  // The identity behind the paper's "Convex relaxation": over all 3-subsets of 8 scores.
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> scores = random_scores(8, random);
    double largest = -std::numeric_limits<double>::infinity();
    for (unsigned subset = 0; subset < 256; ++subset) {
      std::vector<double> chosen;
      for (std::size_t i = 0; i < 8; ++i)
        if (subset >> i & 1) chosen.push_back(scores[i]);
      if (chosen.size() == 3) largest = std::max(largest, value(chosen));
    }
    std::sort(scores.rbegin(), scores.rend());
    EXPECT_NEAR(value({scores[0], scores[1], scores[2]}), largest, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, NeighborTermContract,
                         testing::Combine(testing::Values("mean", "logsumexp"), testing::Values(1.0, 0.1, 5.0)));

TEST(NeighborTermTest, KnownAnswers) {
  const std::vector<double> scores = {0.5, -0.25};
  std::vector<double> weights(2);
  EXPECT_DOUBLE_EQ(make_neighbor_term("mean")->evaluate(scores, weights), 0.125);
  EXPECT_THAT(weights, testing::ElementsAre(0.5, 0.5));
  // log(e^0.5 + e^-0.25); the softmax of a difference of 0.75.
  EXPECT_NEAR(make_neighbor_term("logsumexp")->evaluate(scores, weights), std::log(1.6487212707 + 0.7788007831), 1e-9);
  EXPECT_NEAR(weights[0], 1 / (1 + std::exp(-0.75)), 1e-12);
  // With T = 0.5: half of log(e^1 + e^-0.5).
  EXPECT_NEAR(make_neighbor_term("logsumexp", 0.5)->evaluate(scores, weights),
              0.5 * std::log(2.7182818285 + 0.6065306597), 1e-9);
}

TEST(NeighborTermTest, LogSumExpNeitherOverflowsNorVanishes) {
  std::vector<double> weights(2);
  const auto term = make_neighbor_term("logsumexp", 1e-3);
  EXPECT_NEAR(term->evaluate(std::vector<double>{900, 899}, weights), 900, 1e-9);
  EXPECT_EQ(weights[0], 1);
  EXPECT_NEAR(term->evaluate(std::vector<double>{-900, -900}, weights), -900 + 1e-3 * std::log(2.0), 1e-9);
  EXPECT_EQ(weights[1], 0.5);
}

TEST(MakeNeighborTermTest, RefusesWhatItCannotDo) {
  EXPECT_THROW(make_neighbor_term("median"), UsageError);
  for (const double temperature :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(make_neighbor_term("logsumexp", temperature), UsageError);
}

}  // namespace
}  // namespace wordbridge::neighbor_term_test
