#include "vectors/formats/text_lines.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "base/random.h"
#include "io/lines.h"
#include "vectors/formats/text_row.h"

namespace wordbridge::text_lines_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::text_lines_test
