#pragma once
#include <string>

#include "base/escaped_text.h"

namespace wordbridge::cli {

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

}  // namespace wordbridge::cli
