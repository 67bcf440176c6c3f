#include "base/escaped_text.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace wordbridge::escaped_text_test {
namespace {

using namespace std::string_literals;

TEST(EscapeControls, ShowsWhatTerminalsObey) {
  EXPECT_EQ(escape_controls("plain \\ Zürich 日本 \xF0\x9F\x98\x80", Layout::escaped),
            "plain \\ Zürich 日本 \xF0\x9F\x98\x80");
  EXPECT_EQ(escape_controls("a\x1b[31mb\x07\x7f", Layout::kept), "a\\x1b[31mb\\x07\\x7f");
  EXPECT_EQ(escape_controls("\xC2\x9B"
                            "31m \xC2\xA0 \x9B \xE2\x82",
                            Layout::kept),
            "\\xc2\\x9b31m \xC2\xA0 \\x9b \xE2\\x82");
  EXPECT_EQ(escape_controls("a\tb\nc\rd\0e"s, Layout::kept), "a\tb\nc\\rd\\x00e");
  EXPECT_EQ(escape_controls("a\tb\nc\rd", Layout::escaped), "a\\tb\\nc\\rd");
}

TEST(EscapeField, LeavesWordsThatHoldNothingOfTheKind) {
  for (const char* word : {"", "house", "New York", "#the", "#", "naïve", "a b  c", "100%", "x=y"})
    EXPECT_EQ(escape_field(word), word);
}

TEST(EscapeField, ByHand) {
  EXPECT_EQ(escape_field("a\tb\nc\rd\\e\x1b"), "a\\tb\\nc\\rd\\\\e\\x1b");
  EXPECT_EQ(escape_field(" a b "), "\\x20a b\\x20");
  EXPECT_EQ(escape_field("  "), "\\x20\\x20");
  EXPECT_EQ(escape_field("# a"), "\\x23 a");
  EXPECT_EQ(escape_field("\xC2\x85"), "\\xc2\\x85");
}

TEST(UnescapeField, LeavesWhatIsNoEscape) {
  for (const char* field : {"AC\\DC", "\\", "a\\", "\\x", "\\x1", "\\xg0", "C:\\users"})
    EXPECT_EQ(unescape_field(field), field);
}

TEST(EscapeField, ComesBackWhateverTheBytesAre) {
  const std::string alphabet = "ab \t\n\r\\#\x1b\x7f\x80\x9b\xC2\xA0\xE2\xFFxn0\0"s;
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string word;
    for (std::size_t length = random.index(8); word.size() < length;) word += alphabet[random.index(alphabet.size())];
    const std::string field = escape_field(word);
    EXPECT_EQ(unescape_field(field), word);
    EXPECT_EQ(field.find_first_of("\t\n\r\0\x1b\x7f"s), std::string::npos);
    EXPECT_FALSE(field.starts_with(' ') || field.ends_with(' ') || field.starts_with("# "));
  }
}

TEST(CsvCell, QuotesWhereAReaderWouldStumble) {
  for (const char* text : {"", "house", "New York", "0.5", "-0.5", "+3", "-1e-05", "a=b"})
    EXPECT_EQ(csv_cell(text), text);
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
}

TEST(CsvCell, FormulasAreQuotedAndDisarmedWhereAsked) {
  for (const char* text : {"=1+2", "+1-2", "@sum", "-house", "+-3"}) {
    EXPECT_EQ(csv_cell(text), "\"" + std::string(text) + "\"");
    EXPECT_EQ(csv_cell(text, Formulas::disarmed), "\"'" + std::string(text) + "\"");
  }
  EXPECT_EQ(csv_cell("=\"a\"", Formulas::disarmed), "\"'=\"\"a\"\"\"");
  EXPECT_EQ(csv_cell("-0.5", Formulas::disarmed), "-0.5");
  EXPECT_EQ(csv_cell("-", Formulas::disarmed), "-");
}

}  // namespace
}  // namespace wordbridge::escaped_text_test
