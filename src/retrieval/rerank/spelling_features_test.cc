#include "retrieval/rerank/spelling_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::spelling_features_test {
namespace {

TEST(SpellingFeatures, KnownAnswer) {
  const CommonSpace space(vectors_of({"canon", "cañones"}, {1, 0, 1, 1}),
                          vectors_of({"canon", "Cañón", "cañones"}, {1, 0, 0, 1, 1, 1}));
  const auto spelling =
      std::make_shared<const SpellingResources>(space.vocabulary(Side::source), space.vocabulary(Side::target));
  WordCandidates word;
  word.word = {"canon", 0};
  word.letters = U"canon";
  word.profile = spelling->ngrams.profile(word.letters);
  word.targets = {0, 1, 2};
  const MatrixD values = values_of(SpellingFeatures(space, spelling), word);
  EXPECT_EQ(values(0, 0), 1);
  EXPECT_EQ(values(1, 0), 0);  // equal only when stripped
  EXPECT_EQ(values(1, 1), 1);
  EXPECT_EQ(values(2, 1), 0);
  EXPECT_EQ(values(1, 2), 1);
  EXPECT_DOUBLE_EQ(values(2, 2), 1 - 2.0 / 7);
  EXPECT_DOUBLE_EQ(values(2, 3), 0.5 - 2.0 / 7);
  EXPECT_EQ(values(2, 4), spelling->ngrams.cosine(word.profile, 2));
  EXPECT_DOUBLE_EQ(values(2, 5), 5.0 / 7);
  EXPECT_EQ(values(2, 6), 7);
  EXPECT_EQ(values(2, 7), 2);
  EXPECT_EQ(values(0, 8), 0);  // the word itself is no other word
  EXPECT_EQ(values(1, 8), 0);
  EXPECT_EQ(values(2, 8), 1);
  EXPECT_DOUBLE_EQ(values(2, 9), std::log(22) - std::log(21));
}

}  // namespace
}  // namespace wordbridge::spelling_features_test
