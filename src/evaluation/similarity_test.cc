#include "evaluation/similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lexicon/word_pairs_test_support.h"

namespace wordbridge::similarity_test {
namespace {

/// Unit vectors of the plane.
struct SimilarityTest : ::testing::Test {
  SimilarityTest() {
    const float rows[][2] = {{1, 0}, {0, 1}, {0.6F, 0.8F}, {-1, 0}, {0, 0}, {0.8F, -0.6F}};
    for (std::size_t i = 0; i < std::size(rows); ++i) std::copy_n(rows[i], 2, table.row(i).data());
  }
  Similarity evaluate(std::vector<SimilarityPairs::Pair> pairs, const SimilarityOptions& options = {}) const {
    return evaluate_similarity({.path = "", .pairs = std::move(pairs), .skipped_lines = 0, .first_skipped = ""},
                               CommonSpace::of_one({vocabulary, table}), Side::source, options);
  }

  Vocabulary vocabulary = vocabulary_of({"east", "north", "between", "west", "zero", "south"});
  Matrix table{6, 2};
};

// Cosines by hand: 0, 0.6, 0.8, -1; scores 1, 3, 2, 0. Ranks 2 3 4 1 and 2 4 3 1: Spearman 1 - 6 * 2 / 60 = 0.8.
// Pearson: means 0.1 and 1.5; products (-0.1)(-0.5) + 0.5 * 1.5 + 0.7 * 0.5 + (-1.1)(-1.5) = 2.8; squares 1.96 and 5.
TEST_F(SimilarityTest, KnownAnswer) {
  const Similarity result = evaluate({{"east", "north", 1},
                                      {"east", "between", 3},
                                      {"unknown", "east", 9},
                                      {"north", "between", 2},
                                      {"zero", "east", 9},
                                      {"east", "west", 0}});
  EXPECT_EQ(result.pairs, 6);
  EXPECT_EQ(result.found, 4);
  EXPECT_NEAR(result.spearman.value(), 0.8, 1e-12);
  EXPECT_NEAR(result.pearson.value(), 2.8 / std::sqrt(1.96 * 5), 1e-7);
  ASSERT_EQ(result.cosines.size(), 6);
  EXPECT_FALSE(result.cosines[2]);
  EXPECT_NEAR(result.cosines[3].value(), 0.8, 1e-7);
  EXPECT_FALSE(result.cosines[4]);
}

TEST_F(SimilarityTest, CaseIsAMatterOfPolicy) {
  EXPECT_EQ(evaluate({{"East", "north", 1}}).case_matched, 1);
  EXPECT_EQ(evaluate({{"East", "north", 1}}, {.case_policy = CasePolicy::exact}).found, 0);
}

TEST_F(SimilarityTest, PhrasesAreAveragedOnDemand) {
  const std::vector<SimilarityPairs::Pair> pairs = {
      {"north east", "east", 1}, {"north unknown", "east", 1}, {"east west", "east", 1}, {"north", "North zero", 1}};
  EXPECT_EQ(evaluate(pairs).found, 0);
  const Similarity result = evaluate(pairs, {.average_phrases = true});
  EXPECT_EQ(result.found, 1);  // opposite words have no mean direction, and zero has none at all
  EXPECT_EQ(result.averaged, 1);
  EXPECT_NEAR(result.cosines[0].value(), std::sqrt(0.5), 1e-7);
}

TEST_F(SimilarityTest, APhraseInTheVocabularyIsAWord) {
  const Vocabulary phrases = vocabulary_of({"north east", "north", "east", "a", "b", "c"});
  SimilarityPairs pairs;
  pairs.pairs = {{"north east", "east", 1}};
  const Similarity result =
      evaluate_similarity(pairs, CommonSpace::of_one({phrases, table}), Side::source, {.average_phrases = true});
  EXPECT_EQ(result.averaged, 0);
  EXPECT_NEAR(result.cosines[0].value(), 0.6, 1e-7);
}

TEST_F(SimilarityTest, TwoLanguages) {
  Matrix other(1, 2);
  other(0, 1) = 1;
  const Vocabulary spanish = vocabulary_of({"norte"});
  SimilarityPairs pairs;
  pairs.pairs = {{"north", "norte", 4}, {"between", "norte", 2}, {"norte", "north", 1}};
  const Similarity result =
      evaluate_similarity(pairs, CommonSpace({vocabulary, table}, {spanish, other}), Side::target);
  EXPECT_EQ(result.found, 2);
  EXPECT_NEAR(result.cosines[0].value(), 1, 1e-7);
  EXPECT_NEAR(result.cosines[1].value(), 0.8, 1e-7);
}

TEST_F(SimilarityTest, NothingFound) {
  const Similarity result = evaluate({{"x", "y", 1}});
  EXPECT_EQ(result.found, 0);
  EXPECT_FALSE(result.spearman);
  EXPECT_FALSE(result.pearson);
}

}  // namespace
}  // namespace wordbridge::similarity_test
