#include "align/unsupervised/discriminator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"

namespace wordbridge {

/// Reaches into the weights: gradients of every layer are compared with central differences of the loss.
class DiscriminatorTest : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 9, kDimension = 5, kHidden = 7;

  DiscriminatorTest() {
    for (std::size_t i = 0; i < kRows; ++i) wanted_.push_back(i < 5 ? 0.9f : 0.1f);
  }

  template <class Parameter>
  double difference_quotient(Parameter& parameter) {
    const float before = parameter, step = 1e-3f;
    parameter = before + step;
    const double above = discriminator_.loss(rows_, wanted_);
    parameter = before - step;
    const double below = discriminator_.loss(rows_, wanted_);
    parameter = before;
    return (above - below) / (2 * static_cast<double>(step));
  }

  struct LayerPair {
    Discriminator::Layer& layer;
    const Discriminator::Layer& gradient;
  };

  void check_layers() {
    Discriminator::Gradients gradients;
    discriminator_.backward(rows_, discriminator_.forward(rows_), wanted_, true, true, gradients);
    for (const LayerPair& pair :
         {LayerPair{discriminator_.first_, gradients.first}, LayerPair{discriminator_.second_, gradients.second},
          LayerPair{discriminator_.last_, gradients.last}}) {
      for (std::size_t i = 0; i < pair.layer.weights.size(); ++i)
        EXPECT_NEAR(pair.gradient.weights.data()[i], difference_quotient(pair.layer.weights.data()[i]), 5e-4);
      for (std::size_t i = 0; i < pair.layer.bias.size(); ++i)
        EXPECT_NEAR(pair.gradient.bias[i], difference_quotient(pair.layer.bias[i]), 5e-4);
    }
  }

  Random random_{1};
  Discriminator discriminator_{kDimension, {.hidden = kHidden, .input_dropout = 0}, random_};
  Matrix rows_ = random_matrix(kRows, kDimension, 2);
  std::vector<float> wanted_;
};

TEST_F(DiscriminatorTest, LayerGradientsMatchFiniteDifferences) { check_layers(); }

TEST_F(DiscriminatorTest, InputGradientMatchesFiniteDifferences) {
  const auto [loss, gradient] = discriminator_.input_gradient(rows_, wanted_);
  EXPECT_NEAR(loss, discriminator_.loss(rows_, wanted_), 1e-6);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    EXPECT_NEAR(gradient.data()[i], difference_quotient(rows_.data()[i]), 5e-4);
}

TEST_F(DiscriminatorTest, LearnsToTellTwoCloudsApart) {
  Matrix rows(kRows, kDimension);
  for (std::size_t i = 0; i < kRows; ++i) rows(i, 0) = i < 5 ? 1.0f : -1.0f;
  const double before = discriminator_.loss(rows, wanted_);
  for (int step = 0; step < 500; ++step) discriminator_.train(rows, wanted_, 0.1, random_);
  const double entropy = -(0.9 * std::log(0.9) + 0.1 * std::log(0.1));  // the least that smoothed targets allow
  EXPECT_GT(before, 0.6);
  EXPECT_NEAR(discriminator_.loss(rows, wanted_), entropy, 0.02);
}

TEST_F(DiscriminatorTest, LargeLogitsDoNotOverflow) {
  Matrix rows = random_matrix(kRows, kDimension, 3);
  for (float& value : rows.elements()) value *= 1e6f;
  EXPECT_TRUE(std::isfinite(discriminator_.loss(rows, wanted_)));
  const Matrix gradient = discriminator_.input_gradient(rows, wanted_).gradient;
  for (const float value : gradient.elements()) EXPECT_TRUE(std::isfinite(value));
}

TEST_F(DiscriminatorTest, StateIsAllThatTrainingChanges) {
  Random one(5), other(5);
  const std::vector<MatrixD> before = discriminator_.state();
  discriminator_.train(rows_, wanted_, 0.1, one);
  const double after = discriminator_.loss(rows_, wanted_);
  discriminator_.restore(before);
  EXPECT_NE(discriminator_.loss(rows_, wanted_), after);
  discriminator_.train(rows_, wanted_, 0.1, other);
  EXPECT_EQ(discriminator_.loss(rows_, wanted_), after);
}

}  // namespace wordbridge
