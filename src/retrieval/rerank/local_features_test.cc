#include "retrieval/rerank/local_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::local_features_test {
namespace {

/// "a" is (1, 0), its known translation (0, 1); "b" is near "a".
CommonSpace space() {
  return CommonSpace(vectors_of({"a", "b", "c"}, {1, 0, 0.8f, 0.6f, 0, 1}),
                     vectors_of({"A", "B", "C"}, {0, 1, -0.6f, 0.8f, 1, 0}));
}

WordCandidates word_b(const CommonSpace& in) {
  WordCandidates word;
  word.word = {"b", 1};
  word.vector = in.table(Side::source).row(1);
  word.targets = {0, 1, 2};
  for (const WordId target : word.targets) {
    const auto y = in.table(Side::target).row(target);
    word.cosines.push_back(static_cast<double>(exact_score(word.vector.data(), y.data(), 2)));
  }
  return word;
}

TEST(LocalFeatures, OneKnownPairMovesTheWordByItsResidual) {
  const CommonSpace in = space();
  const LocalFeatures features(in, Lexicon({{0, 0}}));
  const MatrixD values = values_of(features, word_b(in));
  // b + (A - a) = (-0.2, 1.6); b + (A - a) / 2 = (0.3, 1.1).
  const double full = std::hypot(0.2, 1.6), half = std::hypot(0.3, 1.1);
  for (const std::size_t kernel : {0u, 1u, 2u}) {
    EXPECT_NEAR(values(0, 2 * kernel), 1.6 / full, 1e-6);
    EXPECT_NEAR(values(1, 2 * kernel), (0.2 * 0.6 + 1.6 * 0.8) / full, 1e-6);
    EXPECT_NEAR(values(2, 2 * kernel + 1), 0.3 / half, 1e-6);
  }
  EXPECT_NEAR(values(0, 6), 1, 1e-6);  // the kernel regression is A itself
  EXPECT_NEAR(values(1, 6), 0.8, 1e-6);
  EXPECT_DOUBLE_EQ(values(0, 7), std::log(2));
  EXPECT_EQ(values(1, 7), 0);
}

TEST(LocalFeatures, NearPairsCountMore) {
  const CommonSpace in = space();
  const LocalFeatures features(in, Lexicon({{0, 0}, {2, 2}}));  // cosines to b: 0.8 and 0.6
  const MatrixD values = values_of(features, word_b(in));
  const auto share = [](double temperature) { return 1 / (1 + std::exp(-0.2 / temperature)); };
  const double t = share(0.1);  // of A; C has the rest
  EXPECT_NEAR(values(0, 6), t / std::hypot(t, 1 - t), 1e-6);
  EXPECT_GT(share(0.05), share(0.1));
}

TEST(LocalFeatures, AWordsOwnPairsNeverCount) {
  const CommonSpace in = space();
  const WordCandidates word = word_b(in);
  const MatrixD without = values_of(LocalFeatures(in, Lexicon({{0, 0}})), word);
  const MatrixD with = values_of(LocalFeatures(in, Lexicon({{0, 0}, {1, 1}, {1, 0}})), word);
  EXPECT_EQ(without, with);
}

TEST(LocalFeatures, WordsPreparedTogetherAreTheSame) {
  const CommonSpace in = space();
  const LocalFeatures features(in, Lexicon({{0, 0}, {2, 2}}));
  std::vector<WordCandidates> words = {word_b(in), word_b(in), word_b(in)};
  words[1].word = {"a", 0};
  words[1].vector = in.table(Side::source).row(0);
  words[2].word = {"unseen", std::nullopt};
  const std::vector<WordCandidates> alone = words;
  features.prepare(words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    ASSERT_TRUE(words[i].near_known);
    EXPECT_EQ(values_of(features, words[i]), values_of(features, alone[i]));
  }
}

TEST(LocalFeatures, WithoutPairsThereIsOnlyTheCosine) {
  const CommonSpace in = space();
  const WordCandidates word = word_b(in);
  const MatrixD values = values_of(LocalFeatures(in, Lexicon()), word);
  for (std::size_t i = 0; i < word.size(); ++i) {
    EXPECT_NEAR(values(i, 0), word.cosines[i], 1e-6);
    EXPECT_EQ(values(i, 6), 0);
  }
}

}  // namespace
}  // namespace wordbridge::local_features_test
