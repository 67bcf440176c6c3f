#include "cli/report/table.h"

#include <gtest/gtest.h>

namespace wordbridge::table_test {
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

TEST(Table, CommaSeparated) {
  EXPECT_EQ(kTable.to_csv(), "word,P@1\ncasa,64.0\noù,7.5\n北京,100.0\n");
  const Table table = {{{"a,b"}, {"c"}}, {{"say \"no\"", "x"}, {"two\nlines", ""}}};
  EXPECT_EQ(table.to_csv(), "\"a,b\",c\n\"say \"\"no\"\"\",x\n\"two\nlines\",\n");
}

TEST(Table, Latex) {
  EXPECT_EQ(kTable.to_latex(),
            "\\begin{tabular}{lr}\n\\toprule\nword & P@1 \\\\\n\\midrule\n"
            "casa & 64.0 \\\\\noù & 7.5 \\\\\n北京 & 100.0 \\\\\n\\bottomrule\n\\end{tabular}\n");
  const Table table = {{{"a&b_c"}}, {{"5%"}, {"\\~^{}#$"}}};
  EXPECT_EQ(table.to_latex(),
            "\\begin{tabular}{r}\n\\toprule\na\\&b\\_c \\\\\n\\midrule\n5\\% \\\\\n"
            "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}\\{\\}\\#\\$ \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
}

TEST(Table, Html) {
  const Table table = {{{"a<b", Table::Align::left}, {"n"}}, {{"\"x\" & y", "1"}}};
  EXPECT_EQ(table.to_html(),
            "<table>\n<thead><tr><th scope=\"col\" class=\"left\">a&lt;b</th><th scope=\"col\">n</th></tr></thead>\n"
            "<tbody>\n<tr><th scope=\"row\" class=\"left\">&quot;x&quot; &amp; y</th><td>1</td></tr>\n</tbody>\n"
            "</table>\n");
}

TEST(Table, InvalidUtf8) {
  const Table table = {{{"x", Table::Align::left}, {"n"}}, {{"\xff\xff", "1"}, {"abc", "2"}}};
  EXPECT_EQ(table.to_text(), "x    n\n---  -\n\xff\xff   1\nabc  2\n");
}

}  // namespace
}  // namespace wordbridge::table_test
