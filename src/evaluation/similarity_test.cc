#include "evaluation/similarity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::similarity_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Pair = SimilarityPairs::Pair;

SimilarityPairs read(const std::string& text, bool lenient = false) {
  MemoryStream stream(text);
  return read_similarity_pairs(stream, lenient);
}

void expect_error(const std::string& text, std::uint64_t line, const std::string& reason) {
  try {
    read(text);
    FAIL() << text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line);
    EXPECT_THAT(error.reason(), HasSubstr(reason));
  }
}

TEST(SimilarityPairs, TabSeparatedWithCommentsAndHeading) {
  EXPECT_THAT(read("# Gurevych (2005)\n# IRR .69\nword1\tword2\tsimilarity\tpos1\n"
                   "Absage\tablehnen\t3.5\tn\nAbsage\tStellenanzeige\t1.88\tn\n")
                  .pairs,
              ElementsAre(Pair{"Absage", "ablehnen", 3.5}, Pair{"Absage", "Stellenanzeige", 1.88}));
}

TEST(SimilarityPairs, CommaSeparated) {
  EXPECT_THAT(read("Word 1,Word 2,Human (mean)\r\nlove,sex,6.77\r\n\r\ntiger,cat,7.35\r\n").pairs,
              ElementsAre(Pair{"love", "sex", 6.77}, Pair{"tiger", "cat", 7.35}));
}

TEST(SimilarityPairs, BlankSeparated) {
  EXPECT_THAT(read("\xef\xbb\xbfsun sunlight 50.000000\nautomobile car 50\n").pairs,
              ElementsAre(Pair{"sun", "sunlight", 50}, Pair{"automobile", "car", 50}));
}

TEST(SimilarityPairs, PhrasesBetweenTabs) {
  EXPECT_THAT(read("Promised Land\tBaku\t0.42\n1,000\tmany\t3\n").pairs,
              ElementsAre(Pair{"Promised Land", "Baku", 0.42}, Pair{"1,000", "many", 3}));
}

TEST(SimilarityPairs, TheScoreIsTheFirstNumberAfterTheWords) {
  EXPECT_THAT(read("word1\tword2\tPOS\tSimLex999\tconc(w1)\nold\tnew\tA\t1.58\t2.72\n").pairs,
              ElementsAre(Pair{"old", "new", 1.58}));
  EXPECT_THAT(read("1984\t2\t7\n1\t3\t9\n").pairs, ElementsAre(Pair{"1984", "2", 7}, Pair{"1", "3", 9}));
}

TEST(SimilarityPairs, LinesThatAreNone) {
  expect_error("a\tb\t1\nc\td\n", 2, "no score in column 3");
  expect_error("a\tb\t1\nc\td\tx\n", 2, "no score in column 3");
  expect_error("a\tb\t1\nc\td\tnan\n", 2, "no score");
  expect_error("heading\tof\tthis\nanother\tof\tthese\n", 2, "no score after");
  expect_error("a\tb\n", 1, "no score after the two words");
  expect_error("a\n", 1, "two words are wanted");
  expect_error("a\t\t3\n", 1, "two words are wanted");
  expect_error("# nothing\n", 0, "no pair");
  expect_error(std::string("a b \0", 5), 1, "NUL");
}

TEST(SimilarityPairs, LenientReadersSkipAndCount) {
  const SimilarityPairs pairs = read("a\tb\t1\nc\td\ne\tf\t2\n", true);
  EXPECT_EQ(pairs.pairs.size(), 2);
  EXPECT_EQ(pairs.skipped_lines, 1);
  EXPECT_THAT(pairs.first_skipped, HasSubstr("memory:2"));
}

TEST(SimilarityPairs, SemEvalsLayout) {
  const TemporaryFolder folder;
  const std::string data = folder.write("en.test.data.txt", "Joule\tspacecraft\nPromised Land\tBaku\n");
  EXPECT_THROW(read_similarity_pairs(data), InputError);
  folder.write("en.test.gold.txt", "0.58\r\n0.42\r\n");
  EXPECT_THAT(read_similarity_pairs(data).pairs,
              ElementsAre(Pair{"Joule", "spacecraft", 0.58}, Pair{"Promised Land", "Baku", 0.42}));
  folder.write("en.test.gold.txt", "0.58\n");
  EXPECT_THROW(read_similarity_pairs(data), InputError);
  folder.write("en.test.gold.txt", "0.58\nx\n");
  EXPECT_THROW(read_similarity_pairs(data), InputError);
}

TEST(SimilarityPairs, SemEvalsFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("data"));
  std::filesystem::create_directory(folder.path("keys"));
  const std::string data = folder.write("data/en-es.test.data.txt", "night\tnoche\n");
  folder.write("keys/en-es.test.gold.txt", "4\n");
  EXPECT_THAT(read_similarity_pairs(data).pairs, ElementsAre(Pair{"night", "noche", 4}));
  std::filesystem::remove_all(folder.path("data"));
  std::filesystem::remove_all(folder.path("keys"));
}

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
