#include "cli/options/format_options.h"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include "cli/options/arguments.h"

namespace wordbridge::cli::format_options_test {

namespace {

const Table kTable = {{{"a"}}, {{"1"}}};

TableFormat format_of(const std::string& options) {
  CLI::App app;
  Arguments arguments(app);
  TableFormat format;
  format.declare(arguments);
  app.parse(options);
  return format;
}

std::string rendered(const std::string& option) {
  const TableFormat format = format_of(option);
  EXPECT_EQ(format.json(), option == "--json");
  return format.render(kTable, "first\nsecond\n");
}

TEST(TableFormat, NotesGoWithTheTable) {
  EXPECT_EQ(rendered(""), kTable.to_text() + "first\nsecond\n");
  EXPECT_EQ(rendered("--markdown"), kTable.to_markdown() + "\nfirst\nsecond\n");
  EXPECT_EQ(rendered("--csv"), kTable.to_csv());
  EXPECT_EQ(rendered("--latex"), kTable.to_latex() + "% first\n% second\n");
  rendered("--json");
}

TEST(TableFormat, Titles) {
  EXPECT_EQ(format_of("").title("T"), "T\n");
  EXPECT_EQ(format_of("--markdown").title("T"), "## T\n\n");
  EXPECT_EQ(format_of("--latex").title("T"), "% T\n");
  EXPECT_EQ(format_of("--csv").title("T"), "");
  EXPECT_TRUE(format_of("--csv").csv());
}

TEST(TableFormat, CsvForSpreadsheetsHasNoFormulas) {
  const Table table = {{{"a"}}, {{"=1+1"}, {"-2"}, {"b"}}};
  EXPECT_EQ(format_of("--csv").render(table), "a\n\"=1+1\"\n-2\nb\n");
  EXPECT_EQ(format_of("--safe-csv").render(table), "a\n\"'=1+1\"\n-2\nb\n");
  EXPECT_EQ(format_of("--safe-csv").title("T"), "");
}

TEST(TableFormat, OneAtMost) {
  EXPECT_THROW(rendered("--csv --latex"), CLI::ParseError);
  EXPECT_THROW(rendered("--json --markdown"), CLI::ParseError);
}

}  // namespace

}  // namespace wordbridge::cli::format_options_test
