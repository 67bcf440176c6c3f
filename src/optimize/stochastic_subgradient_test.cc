#include "optimize/stochastic_subgradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "optimize/optimizer_test_support.h"
#include "optimize/spectral.h"
#include "optimize/unconstrained.h"
#include "wordbridge/error.h"

namespace wordbridge::stochastic_subgradient_test {
namespace {

using testing::ElementsAre;

const Unconstrained kFree;
const SpectralConstraint kSpectral;

TEST(StochasticSubgradientTest, OneStepABatchNothingTakenBack) {
  // f = w², lr 1.5: 1, −2, 4, −8; the loss rises and nobody minds.
  ScalarObjective objective = square_objective(100);
  StochasticSubgradient optimizer(objective, kFree, {.learning_rate = 1.5, .epochs = 3, .batch = 10});
  std::vector<int> epochs;
  const OptimizerState state =
      run(optimizer, optimizer.start(scalar(1)), [&](const Iteration& iteration, const OptimizerState&) {
        epochs.push_back(iteration.epoch);
        EXPECT_EQ(iteration.outcome, StepOutcome::accepted);
        EXPECT_EQ(iteration.step, 1.5);
      });
  EXPECT_THAT(objective.evaluated, ElementsAre(1, -2, 4));
  EXPECT_EQ(state.w(0, 0), -8);
  EXPECT_THAT(epochs, ElementsAre(1, 2, 3));
}

TEST(StochasticSubgradientTest, TheScriptTakesOneStepMore) {
  ScalarObjective objective = square_objective(100);
  StochasticSubgradient optimizer(objective, kFree,
                                  {.learning_rate = 0.25, .epochs = 3, .batch = 10, .one_step_more = true});
  std::vector<int> epochs;
  run(optimizer, optimizer.start(scalar(1)),
      [&](const Iteration& iteration, const OptimizerState&) { epochs.push_back(iteration.epoch); });
  EXPECT_THAT(epochs, ElementsAre(0, 1, 2, 3));
}

TEST(StochasticSubgradientTest, DrawsWithoutReplacementAndAnewEachTime) {
  ScalarObjective objective = square_objective(50);
  StochasticSubgradient optimizer(objective, kFree, {.learning_rate = 0.1, .epochs = 20, .batch = 20, .seed = 7});
  run(optimizer, optimizer.start(scalar(1)), nullptr);
  std::set<std::vector<std::size_t>> different;
  std::vector<int> drawn(50);
  for (const auto& batch : objective.batches) {
    EXPECT_EQ(std::set<std::size_t>(batch.begin(), batch.end()).size(), 20u);
    for (const std::size_t index : batch) {
      ASSERT_LT(index, 50u);
      ++drawn[index];
    }
    different.insert(batch);
  }
  EXPECT_EQ(different.size(), 20u);
  // 20 x 20 draws over 50 pairs: 8 each on average; a pair that never or almost always comes would be a broken draw.
  for (const int count : drawn) {
    EXPECT_GE(count, 1);
    EXPECT_LE(count, 18);
  }
}

TEST(StochasticSubgradientTest, TheSeedDecides) {
  const auto batches = [](std::uint64_t seed) {
    ScalarObjective objective = square_objective(50);
    StochasticSubgradient optimizer(objective, kFree, {.learning_rate = 0.1, .epochs = 3, .batch = 5, .seed = seed});
    run(optimizer, optimizer.start(scalar(1)), nullptr);
    return objective.batches;
  };
  EXPECT_EQ(batches(1), batches(1));
  EXPECT_NE(batches(1), batches(2));
}

TEST(StochasticSubgradientTest, AResumedRunDrawsTheSameBatches) {
  ScalarObjective whole = square_objective(50), parts = square_objective(50);
  const StochasticSubgradientOptions options{.learning_rate = 0.1, .epochs = 6, .batch = 5, .seed = 3};
  StochasticSubgradient optimizer(whole, kFree, options);
  const OptimizerState expected = run(optimizer, optimizer.start(scalar(1)), nullptr);
  StochasticSubgradient first(parts, kFree, options), second(parts, kFree, options);
  OptimizerState state = first.start(scalar(1));
  for (int i = 0; i < 3; ++i) first.step(state);
  EXPECT_EQ(run(second, state, nullptr).w, expected.w);
  EXPECT_EQ(parts.batches, whole.batches);
}

TEST(StochasticSubgradientTest, ABatchIsAtMostAllPairs) {
  ScalarObjective objective = square_objective(4);
  StochasticSubgradient optimizer(objective, kFree, {.learning_rate = 0.1, .epochs = 1, .batch = 10});
  run(optimizer, optimizer.start(scalar(1)), nullptr);
  EXPECT_THAT(objective.batches.at(0), testing::UnorderedElementsAre(0, 1, 2, 3));
}

TEST(StochasticSubgradientTest, ProjectsAfterEachStep) {
  // f = −w, lr 0.75, |w| <= 1: 0.5, 1, 1.
  ScalarObjective objective([](double w) { return -w; }, [](double) { return -1.0; }, 10);
  StochasticSubgradient optimizer(objective, kSpectral, {.learning_rate = 0.75, .epochs = 2, .batch = 2});
  EXPECT_EQ(run(optimizer, optimizer.start(scalar(0.5)), nullptr).w(0, 0), 1);
  EXPECT_THAT(objective.evaluated, ElementsAre(0.5, 1));
}

TEST(StochasticSubgradientTest, AnExplosionKeepsTheLastSoundMap) {
  ScalarObjective objective([](double w) { return -w; }, [](double) { return -1.0; }, 10);
  StochasticSubgradient optimizer(objective, kFree, {.learning_rate = 400, .epochs = 9, .batch = 2});
  const OptimizerState state = run(optimizer, optimizer.start(scalar(1)), nullptr);
  EXPECT_TRUE(state.diverged);
  EXPECT_EQ(state.w(0, 0), 801);
}

TEST(StochasticSubgradientTest, RefusesOptionsOutOfRange) {
  ScalarObjective objective = square_objective();
  EXPECT_THROW(StochasticSubgradient(objective, kFree, {.learning_rate = 0}), UsageError);
  EXPECT_THROW(StochasticSubgradient(objective, kFree, {.epochs = -1}), UsageError);
  EXPECT_THROW(StochasticSubgradient(objective, kFree, {.batch = 0}), UsageError);
  EXPECT_THROW(StochasticSubgradient(objective, kFree, {.l2 = -1}), UsageError);
}

}  // namespace
}  // namespace wordbridge::stochastic_subgradient_test
