#pragma once
#include <string>

#include "cli/options/format_options.h"
#include "cli/translation_writer.h"
#include "wordbridge/entry.h"

namespace wordbridge::cli {

/// Writes entries one after the other: a line for each word with its forms for people, a line for each form for
/// programs that cut lines, or as JSON.
class EntryWriter {
 public:
  EntryWriter(TextOutput& output, const ListFormat& format);

  void write(const Entry& entry);
  /// Closes what is open.
  void finish();

 private:
  using Style = ListFormat::Style;
  void write_for_people(const Entry& entry);
  void write_lines(const Entry& entry);
  void write_json(const Entry& entry);

  TextOutput& output_;
  Style style_;
  Formulas formulas_;
  bool first_ = true;
};

/// What entries of a balance are expected to be, in one line without its end: "candidates with p_translation from 0.34
/// on: 77.5% of them right, 61.5% of the translations named, expected from 1477 held-out words".
std::string balance_line(const EntryBalance& balance);

}  // namespace wordbridge::cli
