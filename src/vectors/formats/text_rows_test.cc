#include "vectors/formats/text_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/lines.h"
#include "wordbridge/error.h"

namespace wordbridge::text_rows_test {

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

using Kind = TextLines::Kind;

/// A text with margins around it.
class Text {
 public:
  explicit Text(const std::string& text)
      : bytes_(std::string(LineBlocks::kMarginBefore, ' ') + text + std::string(LineBlocks::kMarginAfter, ' ')),
        view_(std::string_view(bytes_).substr(LineBlocks::kMarginBefore, text.size())) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  std::string_view view() const { return view_; }

 private:
  std::string bytes_;
  std::string_view view_;
};

TEST(TextLines, EveryLineIsAccountedForInOrder) {
  const Text text("a 1 2\n\n 3 4\nb 5\nNew York 0 -0\r\n\xFF 7 8\nc x 9\nd 1 2");
  TextLines lines;
  lines.parse(text.view(), 2);
  ASSERT_EQ(lines.lines().size(), 8u);
  const Kind kinds[] = {Kind::row, Kind::blank, Kind::no_word, Kind::damage,
                        Kind::row, Kind::row,   Kind::damage,  Kind::row};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(lines.lines()[i].kind, kinds[i]) << i;
  EXPECT_EQ(lines.lines()[4].word, "New York");
  EXPECT_TRUE(lines.lines()[4].spaced && lines.lines()[4].zero && lines.lines()[4].carriage_return);
  EXPECT_TRUE(lines.lines()[5].invalid_utf8);
  EXPECT_FALSE(lines.lines()[0].spaced || lines.lines()[0].zero || lines.lines()[0].carriage_return);
  ASSERT_EQ(lines.rows(), 4u);
  EXPECT_EQ(lines.row(0)[1], 2);
  EXPECT_EQ(lines.row(2)[0], 7);
  EXPECT_EQ(lines.row(3)[1], 2);
  ASSERT_EQ(lines.reasons().size(), 2u);
  EXPECT_EQ(lines.reasons()[0], "the row has 1 number, 2 are wanted");
  EXPECT_EQ(lines.reasons()[1], "'x' is not a finite number");
}

TEST(TextLines, TheMemoryIsUsedAgainWithoutTrace) {
  TextLines lines;
  const Text big("a 1 2\nb 3 4\nc 5 nan\nd 6 7\n"), small("e 8\n"), empty("");
  lines.parse(big.view(), 2);
  lines.parse(small.view(), 1);
  ASSERT_EQ(lines.rows(), 1u);
  EXPECT_EQ(lines.row(0).size(), 1u);
  EXPECT_EQ(lines.row(0)[0], 8);
  EXPECT_TRUE(lines.reasons().empty());
  lines.parse(empty.view(), 2);
  EXPECT_TRUE(lines.lines().empty());
  EXPECT_EQ(lines.rows(), 0u);
}

/// Against the general way alone, over rows of all kinds and the shortest possible ones.
TEST(TextLines, AgreeWithTheGeneralWayLineByLine) {
  Random random(3);
  const char* const pieces[] = {"a",    "b",     " ",    " ",   " ",  "\t", "1",  "0",
                                "-2.5", "0.125", "1e-3", "nan", "\r", "\n", "\n", "\xC3\xA9"};
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t dimension = 1 + random.index(3);
    std::string bytes;
    for (std::size_t i = random.index(200); i > 0; --i) bytes += pieces[random.index(std::size(pieces))];
    const Text text(bytes);
    TextLines lines;
    lines.parse(text.view(), dimension);
    std::size_t line = 0, row = 0, reason = 0;
    for (std::string_view rest = text.view(); !rest.empty(); ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::vector<float> values(dimension);
      const TextRow expected = parse_text_row(rest.substr(0, end), values);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ASSERT_LT(line, lines.lines().size());
      const TextLines::Line& found = lines.lines()[line];
      EXPECT_EQ(found.carriage_return, expected.carriage_return) << bytes;
      if (expected.kind == TextRow::Kind::damage) {
        ASSERT_EQ(found.kind, Kind::damage) << bytes;
        EXPECT_EQ(lines.reasons()[reason++], expected.reason);
      } else if (expected.kind == TextRow::Kind::blank) {
        EXPECT_EQ(found.kind, Kind::blank) << bytes;
      } else {
        ASSERT_EQ(found.kind, expected.word.empty() ? Kind::no_word : Kind::row) << bytes;
        EXPECT_EQ(found.word, expected.word);
        if (found.kind != Kind::row) continue;
        for (std::size_t i = 0; i < dimension; ++i)
          EXPECT_EQ(std::bit_cast<std::uint32_t>(lines.row(row)[i]), std::bit_cast<std::uint32_t>(values[i])) << bytes;
        ++row;
      }
    }
    EXPECT_EQ(line, lines.lines().size());
  }
}

TextStart start_of(std::string_view text) { return recognize_text_start("file", text); }

std::string error_of(std::string_view text) {
  try {
    start_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TextStart, AHeaderTellsRowsAndDimension) {
  for (const std::string_view text :
       {"7 2\na 1 2\n", "7 2 \r\na 1 2\n", " 7\t2\na 1 2\n", "7 2\nNew York 1 2\n", "7 2\n1 2 3\n", "7 2\n"}) {
    const TextStart start = start_of(text);
    ASSERT_TRUE(start.header.has_value()) << text;
    EXPECT_EQ(start.header->rows, 7u);
    EXPECT_EQ(start.dimension, 2u);
    EXPECT_EQ(start.bytes, text.find('\n') + 1);
  }
  EXPECT_EQ(start_of("7 2").bytes, 3u) << "nothing but a header without line break";
  EXPECT_EQ(start_of("\n \n7 2\na 1 2\n").bytes, 7u) << "behind blank lines";
}

TEST(TextStart, AFirstRowMayLookLikeAHeader) {
  EXPECT_FALSE(start_of("2 300\nword 1.5\n").header);
  EXPECT_EQ(start_of("2 300\nword 1.5\n").dimension, 1u);
  EXPECT_TRUE(start_of("2 1\nword 1.5\n").header) << "both readings fit: most files have a header";
  EXPECT_TRUE(start_of("2 300\nword 1.5 2.5\n").header) << "neither fits: a damaged row is likelier than a lost header";
  EXPECT_FALSE(start_of("2 300.5\nword 1.5\n").header);
  EXPECT_FALSE(start_of("-2 300\nword 1.5\n").header);
  EXPECT_FALSE(start_of("2 3 4\nword 1 2\n").header);
}

TEST(TextStart, WithoutHeaderMostOfTheFirstRowsTellTheDimension) {
  EXPECT_EQ(start_of("a 1 2 3\n").dimension, 3u);
  EXPECT_EQ(start_of("1999 1 2 3\n").dimension, 3u);
  EXPECT_EQ(start_of("route 66 1 2\nb 1 2\nc 1 2\n").dimension, 2u);
  EXPECT_EQ(start_of("a 1\nb 1 2\nc 1 2\n").dimension, 2u);
  EXPECT_EQ(start_of("a 1\nb 1 2\n").dimension, 2u) << "of equally common ones the larger";
  EXPECT_EQ(start_of("a x\nb 1 2\n").dimension, 2u);
  EXPECT_EQ(start_of("a 1 2 3\n").bytes, 0u);
}

TEST(TextStart, AByteOrderMarkIsTakenOff) {
  const TextStart with_header = start_of(
                      "\xEF\xBB\xBF"
                      "2 1\na 1\n"),
                  without = start_of(
                      "\xEF\xBB\xBF"
                      "a 1\n");
  EXPECT_TRUE(with_header.byte_order_mark && with_header.header);
  EXPECT_EQ(with_header.bytes, 7u);
  EXPECT_TRUE(without.byte_order_mark && !without.header);
  EXPECT_EQ(without.bytes, 3u);
}

TEST(TextStart, BlanksAtTheEndOfTheFirstRowAreTold) {
  EXPECT_TRUE(start_of("1 2\na 1 2 \n").final_blanks);
  EXPECT_TRUE(start_of("a 1 2 \r\n").final_blanks);
  EXPECT_FALSE(start_of("1 2 \na 1 2\n").final_blanks) << "the header does not count";
  EXPECT_FALSE(start_of("1 2\na 1 2\r\n").final_blanks);
  EXPECT_FALSE(start_of("1 2 \n").final_blanks);
}

TEST(TextStart, WhatHoldsNoVectorsIsAnError) {
  EXPECT_EQ(error_of(""), "file: the file is empty");
  EXPECT_EQ(error_of("\n \r\n"), "file: the file is empty");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), "file: the file is empty");
  EXPECT_EQ(error_of("hello world\nfoo bar\n"), "file:1: no row of a word and numbers at the start of the file");
  EXPECT_EQ(error_of("\nhello\n"), "file:2: no row of a word and numbers at the start of the file");
  EXPECT_EQ(error_of("5 0\na\n"), "file:1: the header says dimension 0");
  EXPECT_EQ(error_of(std::string_view("\xFF\xFE\x61\0\x20\0\x31\0\n\0", 10)),
            "file:1: this looks like UTF-16, UTF-8 is wanted");
}

TEST(TextStart, PagesOfMarkupAreNamedAsSuch) {
  const std::string page = "this is an HTML or XML page, not vectors";
  EXPECT_EQ(error_of("<!DOCTYPE html>\n<html><body>404</body></html>\n"), "file:1: " + page);
  EXPECT_EQ(error_of("<HTML><title>Not Found</title>"), "file:1: " + page);
  EXPECT_EQ(error_of("\r\n\r\n  <html>\n"), "file:3: " + page);
  EXPECT_EQ(error_of("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code></Error>"),
            "file:1: " + page);
  EXPECT_EQ(error_of("<Error>\n"), "file:1: " + page);
  EXPECT_EQ(error_of("</s> 0.1 0.2\nthe 0.3 0.4\n"), "no error") << "a word of many models";
  EXPECT_EQ(error_of("<unk> 0.1 0.2\n"), "no error");
}

}  // namespace

}  // namespace wordbridge::text_rows_test
