#include "cli/options/format_options.h"

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cli/options/arguments.h"
#include "cli/session.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

void FormatOption::declare(Arguments& arguments, Models models) {
  std::vector<std::string> names = {"text",    "word2vec", "npy",      "npy:f16", "raw:f32",
                                    "raw:f16", "native",   "postgres", "sqlite"};
  if (models == Models::fasttext) names.push_back("fasttext");
  arguments.choice(
      "--to", name_, names,
      std::string(
          "Format to write (default: by extension: .vec .txt text, .w2v .bin word2vec, .npy NumPy, "
          ".f32 .f16 numbers without a header, .wbvec native, .copy PostgreSQL, .sql SQLite; standard output: text") +
          (models == Models::fasttext ? "; of a fastText model, .bin: a fastText model)" : ")"));
}

bool FormatOption::wants_model(const std::string& path) const {
  return name_ == "fasttext" || (name_.empty() && path.ends_with(".bin"));
}

VectorFormat FormatOption::of(const std::string& path) const {
  if (name_ == "text") return VectorFormat::text;
  if (name_ == "word2vec") return VectorFormat::word2vec_binary;
  if (name_ == "npy") return VectorFormat::npy;
  if (name_ == "npy:f16") return VectorFormat::npy_float16;
  if (name_ == "raw:f32") return VectorFormat::raw_float32;
  if (name_ == "raw:f16") return VectorFormat::raw_float16;
  if (name_ == "native") return VectorFormat::native;
  if (name_ == "postgres") return VectorFormat::postgres;
  if (name_ == "sqlite") return VectorFormat::sqlite;
  if (path == "-") return VectorFormat::text;
  try {
    return format_of_path(path);
  } catch (const UsageError& error) {
    throw UsageError(error.what() + std::string("; or give --to"));
  }
}

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
