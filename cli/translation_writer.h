#pragma once
#include <string>

#include "cli/options/list_format.h"
#include "cli/text_output.h"
#include "retrieval/translate.h"

namespace wordbridge::cli {

/// Writes words and what was found for them, one after the other: for people, for programs that cut lines, or as JSON.
class TranslationWriter {
 public:
  /// `what` is found: "translation", "neighbor".
  TranslationWriter(TextOutput& output, const ListFormat& format, std::string what);

  void write(const Translations& translations);
  /// Closes what is open.
  void finish();

 private:
  using Style = ListFormat::Style;
  void write_for_people(const Translations& translations);
  void write_lines(const Translations& translations);
  void write_json(const Translations& translations);

  TextOutput& output_;
  Style style_;
  Formulas formulas_;
  std::string what_;
  bool first_ = true;
};

}  // namespace wordbridge::cli
