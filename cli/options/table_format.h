#pragma once
#include <string>
#include <string_view>

#include "cli/report/table.h"

namespace wordbridge::cli {

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
