#pragma once
#include <string>
#include <string_view>

#include "base/escaped_text.h"
#include "cli/report/table.h"
#include "wordbridge/formats.h"

namespace wordbridge::cli {

class Arguments;

/// The format of a file of vectors to be written.
class FormatOption {
 public:
  enum class Models { none, fasttext };
  /// With Models::fasttext, the model that was read can be asked for too.
  void declare(Arguments& arguments, Models models = Models::none);
  /// The one asked for, else by the extension; UsageError where that says nothing.
  VectorFormat of(const std::string& path) const;
  /// Whether a fastText model is to be written: where that is asked for, or nothing is and the path ends as models do.
  bool wants_model(const std::string& path) const;
  bool is_given() const { return !name_.empty(); }

 private:
  std::string name_;
};

class Arguments;

/// In which form a command writes a list of words and scores, one after the other.
class ListFormat {
 public:
  enum class Style { people, tsv, csv, json };

  /// Adds -o, --tsv, --csv, --safe-csv and --json, of which one may be given.
  void declare(Arguments& arguments);

  const std::string& output() const { return output_; }
  /// As an option says, else the extension of the output (.csv, .json), else for people on a terminal, and
  /// tab-separated in files and pipes.
  Style style() const;
  Formulas formulas() const { return safe_csv_ ? Formulas::disarmed : Formulas::kept; }

 private:
  std::string output_;
  bool tsv_ = false, csv_ = false, safe_csv_ = false, json_ = false;
};

class Arguments;

/// In which form a command prints its table.
class TableFormat {
 public:
  /// Adds --json, --markdown, --csv, --safe-csv and --latex, of which one may be given.
  void declare(Arguments& arguments);

  /// The command has its own form of JSON, which says more than the table.
  bool json() const { return json_; }
  bool csv() const { return csv_ || safe_csv_; }
  /// As the option for CSV that was given says.
  std::string to_csv(const Table& table) const { return table.to_csv(safe_csv_ ? Formulas::disarmed : Formulas::kept); }
  /// The title of a table, as a line or lines before it; CSV has no place for it.
  std::string title(std::string_view text) const;
  /// `note`: lines that go with the table, each with its end; CSV has no place for them.
  std::string render(const Table& table, std::string_view note = {}) const;

 private:
  bool json_ = false, markdown_ = false, csv_ = false, safe_csv_ = false, latex_ = false;
};

}  // namespace wordbridge::cli
