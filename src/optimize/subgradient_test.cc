#include "optimize/subgradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "linalg/lapack.h"
#include "linalg/random_map_test_support.h"
#include "optimize/constraint.h"
#include "optimize/optimizer_test_support.h"
#include "optimize/rcsls_objective_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::subgradient_test {

namespace {

using testing::ElementsAre;

const std::unique_ptr<Constraint> kUnconstrained = make_constraint("none");
const Constraint& kFree = *kUnconstrained;
const std::unique_ptr<Constraint> kBall = make_constraint("spectral");
const Constraint& kSpectral = *kBall;

std::vector<Iteration> run_all(Optimizer& optimizer, OptimizerState& state) {
  std::vector<Iteration> iterations;
  state = run(optimizer, state,
              [&](const Iteration& iteration, const OptimizerState&) { iterations.push_back(iteration); });
  return iterations;
}

TEST(MonotoneTest, RollsBackForRealAndHalves) {
  // f = w² from w = 1 with lr 1.5. Epoch 1: 1 − 1.5·2 = −2, f 4 > 1: back to 1, lr 0.75. Epoch 2: 1 − 0.75·2 = −0.5,
  // f 0.25: stays. Epoch 3: −0.5 + 0.75 = 0.25.
  ScalarObjective objective = square_objective();
  ProjectedSubgradient optimizer(objective, kFree, {.learning_rate = 1.5, .epochs = 3});
  OptimizerState state = optimizer.start(scalar(1));
  const std::vector<Iteration> log = run_all(optimizer, state);
  EXPECT_THAT(objective.evaluated, ElementsAre(1, -2, -0.5, 0.25));
  EXPECT_EQ(state.w(0, 0), 0.25);
  EXPECT_EQ(state.learning_rate, 0.75);
  ASSERT_EQ(log.size(), 4u);
  EXPECT_EQ(log[0].step, 0);
  EXPECT_EQ(log[0].loss, 1);
  EXPECT_EQ(log[1].outcome, StepOutcome::rolled_back);
  EXPECT_EQ(log[1].loss, 4);
  EXPECT_EQ(log[1].step, 1.5);
  EXPECT_EQ(log[1].norm, 1);
  EXPECT_EQ(log[2].outcome, StepOutcome::accepted);
  EXPECT_EQ(log[2].step, 0.75);
  EXPECT_EQ(log[3].epoch, 3);
  EXPECT_EQ(log[3].searched, 3u);
  EXPECT_EQ(log[3].saved_scans, 4u);
}

TEST(MonotoneTest, EndsWhenTheLearningRateIsTooSmall) {
  // |w| at its minimum: every step rises. 1 → 2^-14 < 1e-4 takes 14 halvings.
  ScalarObjective objective([](double w) { return std::abs(w); }, [](double) { return 1.0; });
  ProjectedSubgradient optimizer(objective, kFree, {.learning_rate = 1, .epochs = 100});
  OptimizerState state = optimizer.start(scalar(0));
  state.start_norm = 1;
  EXPECT_EQ(run_all(optimizer, state).size(), 15u);
  EXPECT_EQ(state.w(0, 0), 0);
}

TEST(MonotoneTest, TheLossNeverRisesAndTheResultIsTheBestPoint) {
  RcslsProblem problem(60, 60, 8, 8, true, "mean", 1, 5);
  ProjectedSubgradient optimizer(problem.objective, kSpectral, {.learning_rate = 30, .epochs = 30});
  OptimizerState state = optimizer.start(MatrixD::identity(8));
  double last = std::numeric_limits<double>::infinity();
  int rolled_back = 0;
  state = run(optimizer, state, [&](const Iteration& iteration, const OptimizerState& now) {
    EXPECT_LE(now.loss, last);
    last = now.loss;
    rolled_back += iteration.outcome == StepOutcome::rolled_back;
    EXPECT_LE(svd(now.w).s.front(), 1 + 1e-12);
  });
  EXPECT_GT(rolled_back, 0);
  EXPECT_LT(rolled_back, 30);
  EXPECT_EQ(problem.objective.evaluate(state.w).loss(), state.loss);
}

TEST(MonotoneTest, DecayIsPartOfTheLossThatMustNotRise) {
  // f = −w + l2/2 w² has its minimum at 1/l2 = 2; lr 1 steps w ← w/2 + 1: 0, 1, 1.5, 1.75.
  ScalarObjective objective([](double w) { return -w; }, [](double) { return -1.0; });
  ProjectedSubgradient optimizer(objective, kFree, {.learning_rate = 1, .epochs = 3, .l2 = 0.5});
  OptimizerState state = optimizer.start(scalar(0));
  state.start_norm = 1;
  run_all(optimizer, state);
  EXPECT_THAT(objective.evaluated, ElementsAre(0, 1, 1.5, 1.75));
  // From beyond the minimum, a step of 8: 3 ← (1 − 4)·3 + 8 = −1, −w rises from −3 to 1: taken back.
  ProjectedSubgradient large(objective, kFree, {.learning_rate = 8, .epochs = 1, .l2 = 0.5});
  state = large.start(scalar(3));
  run_all(large, state);
  EXPECT_EQ(state.w(0, 0), 3);
}

TEST(MonotoneTest, StartsInsideTheSet) {
  ScalarObjective objective = square_objective();
  ProjectedSubgradient optimizer(objective, kSpectral, {.learning_rate = 0.25, .epochs = 0});
  OptimizerState state = optimizer.start(scalar(5));
  run_all(optimizer, state);
  EXPECT_THAT(objective.evaluated, ElementsAre(1));
}

TEST(ReferenceTest, DoesNotRollBack) {
  // f = w², w = 1, lr 1.5. t = 0: f 1, w ← −2. t = 1: f 4 > 1: w steps to −2 + 1.5·4 = 4 all the same, then lr 0.75 and
  // 1 stays remembered. t = 2: f 16 > 1: w ← 4 − 0.75·8 = −2, lr 0.375.
  ScalarObjective objective = square_objective();
  ProjectedSubgradient optimizer(objective, kFree,
                                 {.learning_rate = 1.5, .epochs = 2, .schedule = Schedule::reference});
  OptimizerState state = optimizer.start(scalar(1));
  const std::vector<Iteration> log = run_all(optimizer, state);
  EXPECT_THAT(objective.evaluated, ElementsAre(1, -2, 4));
  EXPECT_EQ(state.w(0, 0), -2);
  EXPECT_EQ(state.learning_rate, 0.375);
  EXPECT_EQ(state.loss, 1);
  ASSERT_EQ(log.size(), 3u);
  EXPECT_EQ(log[0].epoch, 0);
  EXPECT_EQ(log[0].outcome, StepOutcome::accepted);
  EXPECT_EQ(log[2].outcome, StepOutcome::rolled_back);
}

TEST(ReferenceTest, GoesBackToTheUnprojectedStep) {
  // f = (w − 1/4)² over |w| <= 1, w = 1/2, lr 4. t = 0: f 1/16, w ← 1/2 − 4·1/2 = −3/2, cut to −1. t = 1: f 25/16 is
  // above: w ← −1 + 4·5/2 = 9, uncut.
  ScalarObjective objective([](double w) { return (w - 0.25) * (w - 0.25); }, [](double w) { return 2 * (w - 0.25); });
  ProjectedSubgradient optimizer(objective, kSpectral,
                                 {.learning_rate = 4, .epochs = 1, .schedule = Schedule::reference});
  OptimizerState state = optimizer.start(scalar(0.5));
  run_all(optimizer, state);
  EXPECT_THAT(objective.evaluated, ElementsAre(0.5, -1));
  EXPECT_EQ(state.w(0, 0), 9);
}

TEST(ReferenceTest, StopsBeforeAStepThatIsTooSmall) {
  ScalarObjective objective = square_objective();
  ProjectedSubgradient optimizer(objective, kFree,
                                 {.learning_rate = 0.5e-4, .epochs = 5, .schedule = Schedule::reference});
  EXPECT_TRUE(optimizer.finished(optimizer.start(scalar(1))));
}

class BothSchedules : public testing::TestWithParam<Schedule> {};

TEST_P(BothSchedules, AnExplosionEndsTheRunAndKeepsTheBest) {
  // −w has no minimum: 1, 301, 601, 901, 1201 > 1000 times the start.
  ScalarObjective objective([](double w) { return -w; }, [](double) { return -1.0; });
  ProjectedSubgradient optimizer(objective, kFree, {.learning_rate = 300, .epochs = 20, .schedule = GetParam()});
  OptimizerState state = optimizer.start(scalar(1));
  const std::vector<Iteration> log = run_all(optimizer, state);
  EXPECT_TRUE(state.diverged);
  EXPECT_EQ(log.back().outcome, StepOutcome::diverged);
  EXPECT_EQ(log.back().norm, 1201);
  EXPECT_EQ(state.w(0, 0), 901);
}

TEST_P(BothSchedules, ALossThatIsNoNumberEndsTheRun) {
  ScalarObjective objective([](double w) { return w > 5 ? std::numeric_limits<double>::quiet_NaN() : -w; },
                            [](double) { return -1.0; });
  ProjectedSubgradient optimizer(objective, kFree, {.learning_rate = 3, .epochs = 20, .schedule = GetParam()});
  OptimizerState state = optimizer.start(scalar(1));
  run_all(optimizer, state);
  EXPECT_TRUE(state.diverged);
  EXPECT_EQ(state.w(0, 0), 4);
}

TEST_P(BothSchedules, AGradientThatIsNoNumberNeverReachesTheProjection) {
  ScalarObjective objective([](double w) { return -w; },
                            [](double) { return std::numeric_limits<double>::quiet_NaN(); });
  ProjectedSubgradient optimizer(objective, kSpectral, {.learning_rate = 1, .epochs = 20, .schedule = GetParam()});
  OptimizerState state = optimizer.start(scalar(1));
  run_all(optimizer, state);
  EXPECT_TRUE(state.diverged);
  EXPECT_EQ(state.w(0, 0), 1);
}

TEST_P(BothSchedules, AStateCanGoOnElsewhere) {
  // Stopped after any number of steps and taken up by another optimizer: the same bits.
  RcslsProblem problem(60, 60, 6, 9, true, "mean", 1, 5), same(60, 60, 6, 9, true, "mean", 1, 5);
  const ProjectedSubgradientOptions options{.learning_rate = 20, .epochs = 8, .schedule = GetParam()};
  ProjectedSubgradient optimizer(problem.objective, kSpectral, options);
  const MatrixD start = random_map(9, 6, 0.3, 4);
  const OptimizerState whole = run(optimizer, optimizer.start(start), nullptr);
  for (int stop = 0; stop <= 9; ++stop) {
    OptimizerState state = optimizer.start(start);
    for (int i = 0; i < stop && !optimizer.finished(state); ++i) optimizer.step(state);
    ProjectedSubgradient other(same.objective, kSpectral, options);
    EXPECT_EQ(run(other, state, nullptr).w, whole.w) << "stopped after " << stop;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BothSchedules, testing::Values(Schedule::monotone, Schedule::reference),
                         [](const auto& each) { return each.param == Schedule::monotone ? "monotone" : "reference"; });

TEST(ProjectedSubgradientTest, RefusesOptionsOutOfRange) {
  ScalarObjective objective = square_objective();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double rate : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(ProjectedSubgradient(objective, kFree, {.learning_rate = rate}), UsageError);
  EXPECT_THROW(ProjectedSubgradient(objective, kFree, {.epochs = -1}), UsageError);
  EXPECT_THROW(ProjectedSubgradient(objective, kFree, {.l2 = -0.1}), UsageError);
  EXPECT_THROW(ProjectedSubgradient(objective, kFree, {.l2 = nan}), UsageError);
}

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

}  // namespace wordbridge::subgradient_test
