#include "retrieval/rerank/forward_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::forward_features_test {
namespace {

TEST(ForwardFeatures, KnownAnswer) {
  WordCandidates word;
  word.targets = {4, 2, 9};
  word.cosines = {0.5, 0.6, 0.1};
  word.means = {0.1, 0.3, 0.2};
  word.csls = {0.5, 0.45, -0.4};
  const MatrixD values = values_of(ForwardFeatures(), word);
  EXPECT_DOUBLE_EQ(values(1, 0), 0.6);
  EXPECT_DOUBLE_EQ(values(1, 1), 0.45);
  EXPECT_DOUBLE_EQ(values(1, 2), 0.3);
  EXPECT_DOUBLE_EQ(values(0, 3), 0.5 - 0.45);
  EXPECT_DOUBLE_EQ(values(1, 3), 0.45 - 0.5);
  EXPECT_DOUBLE_EQ(values(2, 3), -0.4 - 0.5);
  EXPECT_EQ(values(0, 4), 1);
  EXPECT_EQ(values(1, 4), 0);
  const double total = std::exp(10) + std::exp(9) + std::exp(-8);
  EXPECT_NEAR(values(2, 5), -8 - std::log(total), 1e-12);
}

TEST(ForwardFeatures, OneCandidateHasNoMargin) {
  WordCandidates word;
  word.targets = {4};
  word.cosines = word.means = word.csls = {0.5};
  const MatrixD values = values_of(ForwardFeatures(), word);
  EXPECT_EQ(values(0, 3), 0);
  EXPECT_NEAR(values(0, 5), 0, 1e-12);
}

}  // namespace
}  // namespace wordbridge::forward_features_test
