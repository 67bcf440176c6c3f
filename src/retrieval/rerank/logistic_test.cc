#include "retrieval/rerank/logistic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.h"
#include "parallel/threads_test_support.h"

namespace wordbridge::logistic_test {
namespace {

struct Rows {
  MatrixD values;
  std::vector<std::uint8_t> yes;

  Rows(std::size_t count, std::uint64_t seed) : values(count, 2), yes(count) {
    Random random(seed);
    for (double& value : values.elements()) value = random.normal();
    for (std::size_t i = 0; i < count; ++i) yes[i] = random.uniform() < logistic(2 * values(i, 0) - 1) ? 1 : 0;
  }
};

TEST(Logistic, TheLossIsThatOfTheDefinition) {
  const MatrixD rows = MatrixD::copy_of({std::array{1.0, 2.0}.data(), 2, 1});
  const std::array<std::uint8_t, 2> yes = {1, 0};
  std::array<double, 2> gradient = {};
  const std::array weights = {0.5, 0.25};
  const double value = logistic_loss({rows, yes, {0, 1}, 3}, weights, gradient);
  const double first = std::log1p(std::exp(-0.75)), second = std::log1p(std::exp(1.25));
  EXPECT_NEAR(value, (first + second) / 2 + 3.0 / 2 * (0.25 + 0.5625) / 2, 1e-12);
  EXPECT_NEAR(gradient[1], (logistic(0.75) - 1 + logistic(1.25)) / 2 + 3.0 / 2 * -0.75, 1e-12);
  EXPECT_NEAR(gradient[0], (logistic(0.75) - 1 + 2 * logistic(1.25)) / 2 + 3.0 / 2 * 0.5, 1e-12);
}

TEST(Logistic, FindsThePlantedWeights) {
  const Rows rows(20'000, 1);
  const std::vector<double> weights = fit_logistic({rows.values, rows.yes});
  EXPECT_NEAR(weights[0], 2, 0.1);
  EXPECT_NEAR(weights[1], 0, 0.1);
  EXPECT_NEAR(weights[2], -1, 0.1);
}

TEST(Logistic, AStrongPriorDecides) {
  const Rows rows(100, 2);
  const std::vector<double> weights = fit_logistic({rows.values, rows.yes, {0.5, -3, 1}, 1e6});
  EXPECT_NEAR(weights[0], 0.5, 1e-3);
  EXPECT_NEAR(weights[1], -3, 1e-3);
  EXPECT_NEAR(weights[2], 1, 1e-3);
}

TEST(Logistic, SameBitsForAnyNumberOfThreads) {
  const Rows rows(10'000, 3);
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 3}) {
    const WithThreads with(threads);
    results.push_back(fit_logistic({rows.values, rows.yes, {}, 1}));
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace wordbridge::logistic_test
