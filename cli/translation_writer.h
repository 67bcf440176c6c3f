#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "cli/explanations.h"
#include "cli/options/format_options.h"
#include "wordbridge/translate.h"

namespace wordbridge::cli {

class Session;

/// Text that goes to a file, which appears whole or not at all, or to standard output.
class TextOutput {
 public:
  /// Opens the file at once; an empty path and `-` are standard output. A process that is mute writes nothing.
  TextOutput(Session& session, const std::string& path);

  bool is_file() const { return file_.has_value(); }
  void write(std::string_view text);
  /// For whoever waits at the other end of a pipe.
  void flush();
  void finish();

 private:
  Session& session_;
  std::optional<AtomicFile> file_;
};

/// What to say of a word that was found, but only without blanks around it or with composed letters; empty: nothing.
std::string tidied_note(const Translations& translations);

/// Writes words and what was found for them, one after the other: for people, for programs that cut lines, or as JSON.
class TranslationWriter {
 public:
  /// `what` is found: "translation" (which may be known), "neighbor".
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
  bool tells_known_;  // whether a candidate is known or guessed
  bool first_ = true;
};

}  // namespace wordbridge::cli
