#include "retrieval/rerank/frequency_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::frequency_features_test {
namespace {

TEST(FrequencyFeatures, KnownAnswer) {
  WordCandidates word;
  word.word.id = 80;
  word.targets = {0, 180};
  const MatrixD values = values_of(FrequencyFeatures(1000), word);
  EXPECT_DOUBLE_EQ(values(0, 0), std::log(20));
  EXPECT_DOUBLE_EQ(values(0, 1), std::log(20) - std::log(100));
  EXPECT_DOUBLE_EQ(values(1, 1), std::log(200) - std::log(100));
  EXPECT_DOUBLE_EQ(values(0, 2), std::log(100) - std::log(20));
  word.word.id = std::nullopt;
  EXPECT_DOUBLE_EQ(values_of(FrequencyFeatures(1000), word)(0, 1), std::log(20) - std::log(1020));
}

}  // namespace
}  // namespace wordbridge::frequency_features_test
