#include "retrieval/rerank/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"

namespace wordbridge::calibration_test {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kNames = {"log-odds", "margin", "log-sum"};

/// Words whose softmax is too sure by a factor of two.
std::vector<CalibrationSample> overconfident(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<CalibrationSample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    const double odds = 3 * random.normal() + 1;
    const bool right = random.uniform() < 1 / (1 + std::exp(-odds / 2));
    samples.push_back({{odds, odds + random.normal(), random.normal()}, right, random.uniform() < 0.25});
  }
  return samples;
}

/// The mean distance of confidence and accuracy over ten bins.
double calibration_error(const RerankModel::Calibration& calibration, std::span<const CalibrationSample> samples) {
  std::vector<double> count(10), sum(10), right(10);
  for (const CalibrationSample& sample : samples) {
    const double p = first_probability(calibration, sample.values);
    const auto bin = std::min<std::size_t>(9, static_cast<std::size_t>(10 * p));
    ++count[bin];
    sum[bin] += p;
    right[bin] += sample.right;
  }
  double error = 0;
  for (std::size_t bin = 0; bin < 10; ++bin) error += std::abs(sum[bin] - right[bin]);
  return error / static_cast<double>(samples.size());
}

TEST(CalibrationTerms, KnownAnswer) {
  const CalibrationTerms terms({"length", "cosine", "edit"});
  EXPECT_THAT(terms.names(), ElementsAre("log-odds", "margin", "log-sum", "cosine", "edit"));
  MatrixD features(3, 3);
  features(1, 1) = 0.7;
  features(1, 2) = 0.9;
  const std::vector<double> scores = {0, 2, 1};
  const auto values = terms.values(scores, features);
  EXPECT_NEAR(values[0], 2 - std::log(1 + std::exp(1.0)), 1e-12);
  EXPECT_NEAR(values[1], 1, 1e-12);
  EXPECT_NEAR(values[2], std::log(1 + std::exp(1.0) + std::exp(2.0)), 1e-12);
  EXPECT_EQ(values[3], 0.7);
  EXPECT_EQ(values[4], 0.9);
}

TEST(Calibration, MakesProbabilitiesTrue) {
  const auto calibration = fit_calibration(kNames, overconfident(4000, 1));
  const auto others = overconfident(20000, 2);
  EXPECT_LT(calibration_error(calibration, others), 0.02);
  const RerankModel::Calibration as_it_is{.intercept = 0, .terms = {{"log-odds", 1, 0, 1}, {"margin"}, {"log-sum"}}};
  EXPECT_GT(calibration_error(as_it_is, others), 0.06);
  EXPECT_NEAR(calibration.elsewhere, 0.25, 0.03);
}

TEST(Calibration, FewWordsChangeLittle) {
  const auto samples = overconfident(4, 1);
  const auto calibration = fit_calibration(kNames, samples);
  for (const CalibrationSample& sample : samples)
    EXPECT_NEAR(first_probability(calibration, sample.values), 1 / (1 + std::exp(-sample.values[0])), 0.1);
}

TEST(CalibratedProbabilities, LeaveSomethingForNone) {
  const std::vector<double> scores = {std::log(1.0), std::log(6.0), std::log(3.0)};
  EXPECT_THAT(softmax(scores), ElementsAre(::testing::DoubleNear(0.1, 1e-12), ::testing::DoubleNear(0.6, 1e-12),
                                           ::testing::DoubleNear(0.3, 1e-12)));
  const auto some = calibrated_probabilities(scores, 0.8, 0.5);
  EXPECT_NEAR(some[0], 0.2 * 0.5 * 0.25, 1e-12);
  EXPECT_EQ(some[1], 0.8);
  EXPECT_NEAR(some[2], 0.2 * 0.5 * 0.75, 1e-12);
  const auto unsure = calibrated_probabilities(scores, 0.1, 0.5);
  EXPECT_EQ(unsure[2], 0.1);  // none is above the first
  const auto alone = calibrated_probabilities(std::vector<double>{3}, 0.9, 0.5);
  EXPECT_THAT(alone, ElementsAre(0.9));
  EXPECT_TRUE(softmax({}).empty());
}

}  // namespace
}  // namespace wordbridge::calibration_test
