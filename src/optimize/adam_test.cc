#include "optimize/adam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "optimize/optimizer_test_support.h"

namespace wordbridge::adam_test {
namespace {

TEST(AdamTest, StepsByHand) {
  // f = w², rate 0.1 falling to 0 over two steps. The first step is the rate, whatever the gradient: 1 to 0.9. Then
  // m̂ = (0.09 · 2 + 0.1 · 1.8) / 0.19, v̂ = (0.000999 · 4 + 0.001 · 3.24) / 0.001999, and the rate is 0.05.
  ScalarObjective objective = square_objective(1);
  Adam adam(objective, {.learning_rate = 0.1, .passes = 2});
  const OptimizerState state = run(adam, adam.start(scalar(1)), [](const Iteration&, const OptimizerState&) {});
  const double m = (0.09 * 2 + 0.1 * 1.8) / 0.19, v = (0.000999 * 4 + 0.001 * 3.24) / 0.001999;
  ASSERT_EQ(objective.evaluated.size(), 2u);
  EXPECT_NEAR(objective.evaluated[1], 0.9, 1e-9);
  EXPECT_NEAR(state.w(0, 0), 0.9 - 0.05 * m / (std::sqrt(v) + 1e-8), 1e-6);
}

TEST(AdamTest, APassTakesEachPairOnce) {
  ScalarObjective objective = square_objective(10);
  Adam adam(objective, {.learning_rate = 0.01, .passes = 3, .batch = 4});
  EXPECT_EQ(adam.steps(), 9);
  run(adam, adam.start(scalar(1)), [](const Iteration&, const OptimizerState&) {});
  ASSERT_EQ(objective.batches.size(), 9u);
  std::vector<std::vector<std::size_t>> passes;
  for (std::size_t pass = 0; pass < 3; ++pass) {
    std::vector<std::size_t> pairs;
    for (std::size_t part = 0; part < 3; ++part) {
      const auto& batch = objective.batches[3 * pass + part];
      EXPECT_GE(batch.size(), 3u);
      EXPECT_LE(batch.size(), 4u);
      pairs.insert(pairs.end(), batch.begin(), batch.end());
    }
    passes.push_back(pairs);
    std::ranges::sort(pairs);
    EXPECT_THAT(pairs, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  }
  EXPECT_NE(passes[0], passes[1]);
}

TEST(AdamTest, ARunThatExplodesEndsWithTheLastGoodMap) {
  ScalarObjective objective([](double w) { return w < 0.95 ? std::nan("") : w; }, [](double) { return 1.0; });
  Adam adam(objective, {.learning_rate = 0.1, .passes = 5});
  const OptimizerState state = run(adam, adam.start(scalar(1)), [](const Iteration&, const OptimizerState&) {});
  EXPECT_TRUE(state.diverged);
  EXPECT_TRUE(std::isfinite(state.w(0, 0)));
  EXPECT_EQ(objective.evaluated.size(), 2u);
}

}  // namespace
}  // namespace wordbridge::adam_test
