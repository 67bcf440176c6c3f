#include "evaluation/analogy_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::analogy_questions_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

AnalogyQuestions read(const std::string& text, bool lenient = false) {
  MemoryStream stream(text);
  return read_analogy_questions(stream, lenient);
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

TEST(AnalogyQuestions, GooglesFormat) {
  const AnalogyQuestions questions = read(
      "\xef\xbb\xbf: capital-world\r\n"
      "Athens Greece  Oslo Norway\r\n"
      "\n"
      ": empty\n"
      ": gram3-comparative\n"
      "bad worse big bigger\n"
      "cold colder cool cooler");
  ASSERT_EQ(questions.sections.size(), 2);
  EXPECT_EQ(questions.size(), 3);
  EXPECT_EQ(questions.sections[0].name, "capital-world");
  EXPECT_FALSE(questions.sections[0].syntactic());
  EXPECT_EQ(questions.sections[1].name, "gram3-comparative");
  EXPECT_TRUE(questions.sections[1].syntactic());
  EXPECT_THAT(questions.sections[1].questions[1], ElementsAre("cold", "colder", "cool", "cooler"));
}

TEST(AnalogyQuestions, TabSeparatedWithHeadingAndComments) {
  const AnalogyQuestions questions = read(
      "# Somebody and others (2015)\n"
      "a1\ta2\tb1\tb2\n"
      "# city-in-state\n"
      "New York\tNew York\tSan Jos\u00e9\tCalifornia\n"
      "# gram2-opposite\n"
      "sure\tunsure\tkind\tunkind\tnoted\n");
  ASSERT_EQ(questions.sections.size(), 2);
  EXPECT_EQ(questions.sections[0].name, "city-in-state");
  EXPECT_THAT(questions.sections[0].questions,
              ElementsAre(ElementsAre("New York", "New York", "San Jos\u00e9", "California")));
  EXPECT_EQ(questions.sections[1].name, "gram2-opposite");
  EXPECT_THAT(questions.sections[1].questions, ElementsAre(ElementsAre("sure", "unsure", "kind", "unkind")));
}

TEST(AnalogyQuestions, ATabSeparatedFileNeedsNoHeading) {
  EXPECT_EQ(read("a\tb\tc\td\ne\tf\tg\th\n").size(), 2);
  EXPECT_EQ(read("word1\tword2\tword3\ttarget\ne\tf\tg\th\n").size(), 1);
}

TEST(AnalogyQuestions, OneTabMakesALineOfTabs) {
  expect_error("Athens Greece\tOslo Norway\n", 1, "four words are wanted");
}

TEST(AnalogyQuestions, QuestionsBeforeAnySection) {
  const AnalogyQuestions questions = read("a b c d\n: x\ne f g h\n");
  EXPECT_EQ(questions.sections.size(), 2);
  EXPECT_EQ(questions.sections[0].name, "");
}

TEST(AnalogyQuestions, LinesThatAreNone) {
  expect_error(": x\na b c d\na b c\n", 3, "four words are wanted, 3 are there");
  expect_error("a b c d e\n", 1, "5 are there");
  expect_error("a\tb\t\td\n", 1, "3 are there");
  expect_error(std::string("a b c \0\n", 8), 1, "NUL");
  expect_error("", 0, "no analogy");
  expect_error(": x\n# a comment of words\n", 0, "no analogy");
}

TEST(AnalogyQuestions, LenientReadersSkipAndCount) {
  const AnalogyQuestions questions = read("a b c\na b c d\ne f\n", true);
  EXPECT_EQ(questions.size(), 1);
  EXPECT_EQ(questions.skipped_lines, 2);
  EXPECT_THAT(questions.first_skipped, HasSubstr("memory:1: "));
  EXPECT_THROW(read("a b c\n", true), InputError);
}

TEST(AnalogyQuestions, Append) {
  AnalogyQuestions questions = read(": one\na b c d\n");
  questions.append(read(": gram\na b c d\ne f g h\nx\n", true));
  EXPECT_EQ(questions.size(), 3);
  EXPECT_EQ(questions.skipped_lines, 1);
  EXPECT_THAT(questions.first_skipped, HasSubstr("memory:4: "));
}

}  // namespace
}  // namespace wordbridge::analogy_questions_test
