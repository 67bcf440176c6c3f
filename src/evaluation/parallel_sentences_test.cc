#include "evaluation/parallel_sentences.h"

#include <gmock/gmock.h>

#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::parallel_sentences_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> words(std::string_view sentence) { return tokenize(sentence, Tokenization::words); }

TEST(Tokenize, WordsAreRunsOfLettersAndDigits) {
  EXPECT_THAT(words("Hello, world!"), ElementsAre("Hello", ",", "world", "!"));
  EXPECT_THAT(words("¿Dónde está Zürich?"), ElementsAre("¿", "Dónde", "está", "Zürich", "?"));
  EXPECT_THAT(words("in 1990 (3.5%)"), ElementsAre("in", "1990", "(", "3", ".", "5", "%", ")"));
  EXPECT_THAT(words("a\u00A0b\tc\u3000d"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(words("नमस्ते"), ElementsAre("नमस्ते")) << "marks belong to their letters";
  EXPECT_THAT(words(" \t"), IsEmpty());
  EXPECT_THAT(words("a\xff"
                    "b c"),
              ElementsAre("a\xff"
                          "b",
                          "c"));
}

TEST(Tokenize, ApostrophesAndHyphensJoinLetters) {
  EXPECT_THAT(words("l'été l\u2019été"), ElementsAre("l'été", "l'été"));
  EXPECT_THAT(words("well-known - 'tis dogs'"), ElementsAre("well-known", "-", "'", "tis", "dogs", "'"));
  EXPECT_THAT(words("a--b"), ElementsAre("a", "-", "-", "b"));
}

TEST(Tokenize, BlanksLeaveTokensAsTheyAre) {
  EXPECT_THAT(tokenize(" don 't  stop. ", Tokenization::blanks), ElementsAre("don", "'t", "stop."));
  EXPECT_EQ(parse_tokenization("blanks"), Tokenization::blanks);
  EXPECT_THROW(parse_tokenization("letters"), UsageError);
}

TEST(ParallelSentences, AreReadLineByLine) {
  const TemporaryFolder folder;
  const auto sentences = read_parallel_sentences(folder.write("a", "one\r\n\ntwo\none\nthree\nfour"),
                                                 folder.write("b", "eins\nleer\nzwei\nneu\nzwei\nvier\n"));
  EXPECT_THAT(sentences.source, ElementsAre("one", "two", "four"));
  EXPECT_THAT(sentences.target, ElementsAre("eins", "zwei", "vier"));
  EXPECT_EQ(sentences.lines, 6U);
  EXPECT_EQ(sentences.empty, 1U);
  EXPECT_EQ(sentences.repeated, 2U);
}

TEST(ParallelSentences, NeedAsManyLinesOnBothSides) {
  const TemporaryFolder folder;
  const std::string two = folder.write("two", "a\nb\n"), three = folder.write("three", "a\nb\nc\n");
  EXPECT_THAT(input_error_of([&] { read_parallel_sentences(two, three); }),
              HasSubstr("three:3: " + two + " has only 2 lines"));
  EXPECT_THAT(input_error_of([&] { read_parallel_sentences(three, two); }), HasSubstr("three:3: "));
  EXPECT_THAT(input_error_of([&] { read_parallel_sentences(folder.write("empty", ""), folder.path("empty")); }),
              HasSubstr("holds no sentences"));
  EXPECT_NE(input_error_of([&] { read_parallel_sentences(folder.path("none"), two); }), "");
}

}  // namespace
}  // namespace wordbridge::parallel_sentences_test
