#include "cli/options/table_format.h"

#include <sstream>

#include "cli/options/arguments.h"

namespace wordbridge::cli {

void TableFormat::declare(Arguments& arguments) {
  arguments.heading("Output");
  arguments.flag("--json", json_, "Print JSON");
  arguments.flag("--markdown", markdown_, "Print a Markdown table");
  arguments.flag("--csv", csv_, "Print comma-separated values");
  arguments.flag("--safe-csv", safe_csv_,
                 "The same for spreadsheets: what they would take for a formula gets an apostrophe before it");
  arguments.flag("--latex", latex_, "Print a LaTeX table (booktabs)");
  const char* names[] = {"--json", "--markdown", "--csv", "--safe-csv", "--latex"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    for (std::size_t j = i + 1; j < std::size(names); ++j) arguments.exclude(names[i], names[j]);
}

std::string TableFormat::title(std::string_view text) const {
  if (csv()) return {};
  return (markdown_ ? "## " : latex_ ? "% " : "") + std::string(text) + (markdown_ ? "\n\n" : "\n");
}

std::string TableFormat::render(const Table& table, std::string_view note) const {
  if (csv()) return to_csv(table);
  if (markdown_) return table.to_markdown() + (note.empty() ? "" : "\n") + std::string(note);
  if (!latex_) return table.to_text() + std::string(note);
  std::string text = table.to_latex();
  std::istringstream lines{std::string(note)};
  for (std::string line; std::getline(lines, line);) text += "% " + line + '\n';
  return text;
}

}  // namespace wordbridge::cli
