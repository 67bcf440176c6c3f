#pragma once
#include <string>

#include "cli/explanations.h"
#include "cli/options/list_format.h"
#include "cli/text_output.h"
#include "wordbridge/translate.h"

namespace wordbridge::cli {

/// What to say of a word that was found, but only without blanks around it or with composed letters; empty: nothing.
std::string tidied_note(const Translations& translations);

/// Writes words and what was found for them, one after the other: for people, for programs that cut lines, or as JSON.
class TranslationWriter {
 public:
  /// `what` is found: "translation", "neighbor".
  TranslationWriter(TextOutput& output, const ListFormat& format, std::string what);

  /// `explanations`: of the first candidates; may be empty.
  void write(const Translations& translations, const Explanations& explanations = {});
  /// Closes what is open.
  void finish();

 private:
  using Style = ListFormat::Style;
  void write_for_people(const Translations& translations, const Explanations& explanations);
  void write_lines(const Translations& translations, const Explanations& explanations);
  void write_json(const Translations& translations, const Explanations& explanations);

  TextOutput& output_;
  Style style_;
  Formulas formulas_;
  std::string what_;
  bool first_ = true;
};

}  // namespace wordbridge::cli
