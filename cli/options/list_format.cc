#include "cli/options/list_format.h"

#include <iterator>

#include "cli/options/arguments.h"
#include "cli/session.h"

namespace wordbridge::cli {

void ListFormat::declare(Arguments& arguments) {
  arguments.heading("Output");
  arguments.text("-o,--output", output_, "FILE", "The file to write (default, and -: standard output)");
  arguments.flag("--tsv", tsv_, "Tab-separated lines (default for files and pipes)");
  arguments.flag("--csv", csv_, "Comma-separated values with a line of headings (default for .csv)");
  arguments.flag("--safe-csv", safe_csv_,
                 "The same for spreadsheets: what they would take for a formula gets an apostrophe before it");
  arguments.flag("--json", json_, "JSON: an array with one object a line (default for .json)");
  const char* names[] = {"--tsv", "--csv", "--safe-csv", "--json"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    for (std::size_t j = i + 1; j < std::size(names); ++j) arguments.exclude(names[i], names[j]);
}

ListFormat::Style ListFormat::style() const {
  if (json_) return Style::json;
  if (csv_ || safe_csv_) return Style::csv;
  if (tsv_) return Style::tsv;
  if (output_.ends_with(".json")) return Style::json;
  if (output_.ends_with(".csv")) return Style::csv;
  const bool is_file = !output_.empty() && output_ != "-";
  return is_file || !Session::output_is_terminal() ? Style::tsv : Style::people;
}

}  // namespace wordbridge::cli
