#include "wordbridge/vectors/formats/text_row.h"

#include <gmock/gmock.h>

#include <vector>

namespace wordbridge {
namespace {

using ::testing::ElementsAre;
using Kind = TextRow::Kind;

TEST(TextRow, AWordAndItsNumbers) {
  std::vector<float> values(2);
  const TextRow row = parse_text_row("word 1.5 -2", values);
  EXPECT_EQ(row.kind, Kind::row);
  EXPECT_EQ(row.word, "word");
  EXPECT_THAT(values, ElementsAre(1.5f, -2.0f));
}

TEST(TextRow, BlanksAtTheEndAndBetweenFields) {
  std::vector<float> values(2);
  const TextRow row = parse_text_row("word \t 1   2 \t\r", values);
  EXPECT_EQ(row.word, "word");
  EXPECT_THAT(values, ElementsAre(1.0f, 2.0f));
  EXPECT_EQ(parse_text_row(" \t\r", values).kind, Kind::blank);
  EXPECT_EQ(parse_text_row("", values).kind, Kind::blank);
}

TEST(TextRow, NumbersAreTakenFromTheRight) {
  std::vector<float> values(2);
  EXPECT_EQ(parse_text_row("New York 1 2", values).word, "New York");
  EXPECT_EQ(parse_text_row("room 101 1 2", values).word, "room 101");
  EXPECT_EQ(parse_text_row(" 1 2", values).word, "");
  EXPECT_EQ(parse_text_row(" 1 2", values).kind, Kind::row);
}

TEST(TextRow, DamageHasAReason) {
  std::vector<float> values(3);
  EXPECT_EQ(parse_text_row("word 1 2", values).reason, "the row has 2 numbers, 3 are wanted");
  EXPECT_EQ(parse_text_row("7 1 2", values).reason, "the row has 2 numbers, 3 are wanted");
  EXPECT_EQ(parse_text_row("word 1 two 3", values).reason, "'two' is not a finite number");
  EXPECT_EQ(parse_text_row("word 0.5 1 2 3", values).reason, "the row has more than 3 numbers");
  EXPECT_EQ(parse_text_row("word", values).kind, Kind::damage);
}

TEST(TextRow, TrailingNumbersNeverCountTheFirstField) {
  EXPECT_EQ(trailing_numbers("word 1 2 3"), 3u);
  EXPECT_EQ(trailing_numbers("5 1 2"), 2u);
  EXPECT_EQ(trailing_numbers("New York 1 2"), 2u);
  EXPECT_EQ(trailing_numbers("word"), 0u);
  EXPECT_EQ(trailing_numbers("word 1 x"), 0u);
  EXPECT_EQ(trailing_numbers(""), 0u);
}

}  // namespace
}  // namespace wordbridge
