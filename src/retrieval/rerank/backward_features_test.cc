#include "retrieval/rerank/backward_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::backward_features_test {
namespace {

WordCandidates two_candidates() {
  WordCandidates word;
  word.targets = {4, 2};
  word.cosines = {0.5, 0.25};
  word.csls = {0.1, 0.2};
  word.near = 2;
  word.near_words = {7, 3, 8, 9};
  word.near_cosines = {0.5f, 0.375f, 0.75f, 0.5f};
  return word;
}

TEST(BackwardFeatures, KnownAnswer) {
  WordCandidates word = two_candidates();
  word.word.id = 7;  // the first neighbor of the first candidate is the word itself
  const MatrixD values = values_of(BackwardFeatures(), word);
  EXPECT_DOUBLE_EQ(values(0, 0), 0.5 - 0.375);
  EXPECT_DOUBLE_EQ(values(1, 0), 0.25 - 0.75);
  EXPECT_EQ(values(0, 1), 1);
  EXPECT_EQ(values(1, 1), 0);
  EXPECT_EQ(values(0, 2), 0);  // not the first by CSLS
  EXPECT_EQ(values(0, 3), 0);
  EXPECT_DOUBLE_EQ(values(1, 3), std::log(3));
  EXPECT_NEAR(values(0, 4), 10 - std::log(std::exp(10) + std::exp(7.5)), 1e-12);
  EXPECT_NEAR(values(1, 4), 5 - std::log(std::exp(5) + std::exp(15) + std::exp(10)), 1e-12);
}

TEST(BackwardFeatures, AWordOutsideTheVocabularyIsNobodysNeighbor) {
  WordCandidates word = two_candidates();
  word.csls = {0.3, 0.2};
  const MatrixD values = values_of(BackwardFeatures(), word);
  EXPECT_DOUBLE_EQ(values(0, 0), 0);
  EXPECT_EQ(values(0, 1), 1);
  EXPECT_EQ(values(0, 2), 1);
}

}  // namespace
}  // namespace wordbridge::backward_features_test
