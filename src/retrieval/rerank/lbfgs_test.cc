#include "retrieval/rerank/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wordbridge::lbfgs_test {
namespace {

TEST(Lbfgs, FindsTheMinimumOfAParabola) {
  const auto parabola = [](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double steepness = std::pow(10.0, static_cast<double>(i)), distance = x[i] - static_cast<double>(i);
      value += steepness * distance * distance / 2;
      gradient[i] = steepness * distance;
    }
    return value;
  };
  const auto minimum = minimize_lbfgs(parabola, std::vector<double>(5, 10));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(minimum[i], static_cast<double>(i), 1e-6);
}

TEST(Lbfgs, FollowsTheValleyOfRosenbrock) {
  const auto valley = [](std::span<const double> x, std::span<double> gradient) {
    const double a = 1 - x[0], b = x[1] - x[0] * x[0];
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
    return a * a + 100 * b * b;
  };
  const auto minimum = minimize_lbfgs(valley, {-1.2, 1});
  EXPECT_NEAR(minimum[0], 1, 1e-5);
  EXPECT_NEAR(minimum[1], 1, 1e-5);
}

TEST(Lbfgs, EndsWhereThereIsNothingToGain) {
  int calls = 0;
  const auto flat = [&](std::span<const double>, std::span<double> gradient) {
    ++calls;
    gradient[0] = 0;
    return 3.0;
  };
  EXPECT_EQ(minimize_lbfgs(flat, {7})[0], 7);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(minimize_lbfgs([](auto, auto) { return 0.0; }, {}).empty());
}

}  // namespace
}  // namespace wordbridge::lbfgs_test
