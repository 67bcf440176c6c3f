#include "optimize/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "optimize/optimizer_test_support.h"

namespace wordbridge::optimizer_test {
namespace {

TEST(OptimizerTest, NormKnownAnswer) {
  MatrixD w(2, 2);
  w(0, 0) = 1;
  w(0, 1) = -2;
  w(1, 0) = 2;
  w(1, 1) = 4;
  EXPECT_EQ(frobenius_norm(w), 5);
}

TEST(OptimizerTest, DescendKnownAnswer) {
  // (1 − 0.5·0.1)·2 − 0.5·3
  EXPECT_DOUBLE_EQ(descend(scalar(2), scalar(3), 0.5, 0.1)(0, 0), 0.4);
}

TEST(OptimizerTest, SoundMeansFiniteAndNotExploded) {
  OptimizerState state;
  state.start_norm = 2;
  EXPECT_TRUE(is_sound(state, 0));
  EXPECT_TRUE(is_sound(state, 2 * kLargestGrowth));
  EXPECT_FALSE(is_sound(state, 2.001 * kLargestGrowth));
  EXPECT_FALSE(is_sound(state, std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(is_sound(state, std::numeric_limits<double>::quiet_NaN()));
}

class CountDown : public Optimizer {
 public:
  OptimizerState start(MatrixD w) const override {
    OptimizerState state;
    state.w = std::move(w);
    return state;
  }
  bool finished(const OptimizerState& state) const override { return state.w(0, 0) <= 0; }
  Iteration step(OptimizerState& state) override {
    state.w(0, 0) -= 1;
    Iteration iteration;
    iteration.epoch = state.epoch++;
    return iteration;
  }
};

TEST(OptimizerTest, RunStepsUntilFinishedAndTellsOfEachStep) {
  CountDown optimizer;
  std::vector<double> seen;
  const OptimizerState state =
      run(optimizer, optimizer.start(scalar(3)), [&](const Iteration& iteration, const OptimizerState& now) {
        EXPECT_EQ(iteration.epoch, static_cast<int>(seen.size()));
        seen.push_back(now.w(0, 0));
      });
  EXPECT_EQ(seen, (std::vector<double>{2, 1, 0}));
  EXPECT_EQ(state.w(0, 0), 0);
  EXPECT_EQ(run(optimizer, optimizer.start(scalar(2)), nullptr).epoch, 2);
}

}  // namespace
}  // namespace wordbridge::optimizer_test
