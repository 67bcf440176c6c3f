#include "wordbridge/evaluation/table.h"

#include <gtest/gtest.h>

namespace wordbridge {
namespace {

const Table kTable = {{{"word", Table::Align::left}, {"P@1"}}, {{"casa", "64.0"}, {"où", "7.5"}, {"北京", "100.0"}}};

TEST(Table, Text) {
  EXPECT_EQ(kTable.to_text(),
            "word    P@1\n"
            "----  -----\n"
            "casa   64.0\n"
            "où      7.5\n"
            "北京  100.0\n");
}

TEST(Table, NoBlanksAtTheEndOfLines) {
  const Table table = {{{"a"}, {"b", Table::Align::left}}, {{"1", "x"}, {"2", "long"}}};
  EXPECT_EQ(table.to_text(), "a  b\n-  ----\n1  x\n2  long\n");
}

TEST(Table, Markdown) {
  EXPECT_EQ(kTable.to_markdown(),
            "| word | P@1 |\n"
            "|---|---:|\n"
            "| casa | 64.0 |\n"
            "| où | 7.5 |\n"
            "| 北京 | 100.0 |\n");
}

TEST(Table, MarkdownEscapes) {
  const Table table = {{{"a|b"}}, {{"\\"}}};
  EXPECT_EQ(table.to_markdown(), "| a\\|b |\n|---:|\n| \\\\ |\n");
}

TEST(Table, InvalidUtf8) {
  const Table table = {{{"x", Table::Align::left}, {"n"}}, {{"\xff\xff", "1"}, {"abc", "2"}}};
  EXPECT_EQ(table.to_text(), "x    n\n---  -\n\xff\xff   1\nabc  2\n");
}

}  // namespace
}  // namespace wordbridge
