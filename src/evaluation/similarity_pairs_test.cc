#include "evaluation/similarity_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::similarity_pairs_test {
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

}  // namespace
}  // namespace wordbridge::similarity_pairs_test
