#include "vectors/formats/text_row.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace wordbridge::text_row_test {
namespace {

using ::testing::ElementsAre;

std::string word_of(const std::string& line, std::size_t dimension) {
  std::vector<float> values(dimension);
  const TextRow row = parse_text_row(line, values);
  return row.kind == TextRow::Kind::row ? std::string(row.word) : "no row";
}

std::string reason_of(const std::string& line, std::size_t dimension) {
  std::vector<float> values(dimension);
  const TextRow row = parse_text_row(line, values);
  return row.kind == TextRow::Kind::damage ? row.reason : "no damage";
}

TEST(TextRow, SplitsTheNumbersFromTheRight) {
  std::vector<float> values(3);
  const std::string line = "New York 0.5 -1 2e1";
  const TextRow row = parse_text_row(line, values);
  EXPECT_EQ(row.kind, TextRow::Kind::row);
  EXPECT_EQ(row.word, "New York");
  EXPECT_THAT(values, ElementsAre(0.5f, -1.0f, 20.0f));
}

TEST(TextRow, AnyBlanksSeparateAndNoneCountsAtTheEnds) {
  EXPECT_EQ(word_of("  a \t b \t 1\t \t2  ", 2), "a \t b");
  EXPECT_EQ(word_of("a\xC2\xA0 1 2", 2), "a\xC2\xA0");
  EXPECT_EQ(word_of("a 1 2 \r \r", 2), "a");
  EXPECT_EQ(word_of("a\rb 1 2", 2), "a\rb");
}

TEST(TextRow, ALineOfBlanksIsBlank) {
  std::vector<float> values(2);
  for (const char* line : {"", " ", "\t\r", "\r", "   \r"})
    EXPECT_EQ(parse_text_row(line, values).kind, TextRow::Kind::blank) << line;
}

TEST(TextRow, CarriageReturnsAtTheEndAreTold) {
  std::vector<float> values(1);
  EXPECT_TRUE(parse_text_row("a 1\r", values).carriage_return);
  EXPECT_TRUE(parse_text_row("a 1\r ", values).carriage_return);
  EXPECT_TRUE(parse_text_row("\r", values).carriage_return);
  EXPECT_FALSE(parse_text_row("a\rb 1", values).carriage_return);
}

TEST(TextRow, TheWordMayBeMissingOrLookLikeANumber) {
  EXPECT_EQ(word_of(" 1 2", 2), "");
  EXPECT_EQ(word_of("1999 1 2", 2), "1999");
  EXPECT_EQ(word_of("0.5 1 2", 2), "0.5");
  EXPECT_EQ(reason_of("1 2", 2), "the row has 1 number, 2 are wanted");
}

TEST(TextRow, FieldsNextToTheNumbersCountAsNumbersWhereTheyAreWrittenLikeThem) {
  EXPECT_EQ(word_of("route 66 0.1 0.2", 2), "route 66");
  EXPECT_EQ(word_of("1 000 000 0.1 2", 2), "1 000 000");
  EXPECT_EQ(word_of("room 101 b 1 2", 2), "room 101 b");
  EXPECT_EQ(word_of(". . . 1 2", 2), ". . .");
  EXPECT_EQ(word_of("room 101 1 2", 2), "room 101");
  EXPECT_EQ(reason_of("word 0.3 0.1 0.2", 2), "the row has more than 2 numbers");
  EXPECT_EQ(reason_of("word 0.3 7 0.1 0.2", 2), "the row has more than 2 numbers");
  EXPECT_EQ(reason_of("word 1e5 1 2", 2), "the row has more than 2 numbers");
  EXPECT_EQ(reason_of("word 0.5 1", 1), "the row has more than 1 number");
}

TEST(TextRow, DamageSaysWhatIsWrong) {
  EXPECT_EQ(reason_of("word", 2), "the row has 0 numbers, 2 are wanted");
  EXPECT_EQ(reason_of("word 1", 2), "the row has 1 number, 2 are wanted");
  EXPECT_EQ(reason_of("word", 1), "the row has 0 numbers, 1 is wanted");
  EXPECT_EQ(reason_of("word nan 1", 2), "'nan' is not a finite number");
  EXPECT_EQ(reason_of("word 1 inf", 2), "'inf' is not a finite number");
  EXPECT_EQ(reason_of("word -Infinity 1", 2), "'-Infinity' is not a finite number");
  EXPECT_EQ(reason_of("word 1 1e39", 2), "'1e39' is not a finite number");
  EXPECT_EQ(reason_of("word 0x10 1", 2), "'0x10' is not a finite number");
  EXPECT_EQ(reason_of("word 0,5 1", 2), "'0,5' is not a finite number");
  EXPECT_EQ(reason_of("word x y", 2), "'x' is not a finite number") << "the first one is named";
}

TEST(TextRow, TrailingNumbersNeverCountTheFirstField) {
  EXPECT_EQ(trailing_numbers("a 1 2"), 2u);
  EXPECT_EQ(trailing_numbers("a b 1 2 \r"), 2u);
  EXPECT_EQ(trailing_numbers("1 2"), 1u);
  EXPECT_EQ(trailing_numbers("1"), 0u);
  EXPECT_EQ(trailing_numbers("a"), 0u);
  EXPECT_EQ(trailing_numbers(""), 0u);
  EXPECT_EQ(trailing_numbers("a 1 nan 2 3"), 2u);
}

}  // namespace
}  // namespace wordbridge::text_row_test
