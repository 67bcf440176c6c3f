#include "cli/entry_writer.h"

#include <fmt/format.h>

#include <utility>

#include "base/escaped_text.h"
#include "base/json.h"
#include "base/wording.h"

namespace wordbridge::cli {

EntryWriter::EntryWriter(TextOutput& output, const ListFormat& format)
    : output_(output), style_(format.style()), formulas_(format.formulas()) {
  constexpr const char* kColumns[] = {"word",    "line", "translation",    "p_translation",
                                      "p_first", "rank", "frequency_rank", "known"};
  if (style_ == Style::csv) output_.write(fmt::format("{}\n", fmt::join(kColumns, ",")));
}

void EntryWriter::write(const Entry& entry) {
  switch (style_) {
    case Style::people:
      return write_for_people(entry);
    case Style::tsv:
    case Style::csv:
      return write_lines(entry);
    case Style::json:
      return write_json(entry);
  }
}

void EntryWriter::finish() {
  if (style_ == Style::json) output_.write(first_ ? "[]\n" : "\n]\n");
  output_.finish();
}

void EntryWriter::write_for_people(const Entry& entry) {
  if (entry.origin == Translations::Origin::none && entry.lines.empty()) return;
  std::string text = entry.query;
  if (!entry.word.empty() && entry.word != entry.query) text += fmt::format(" ({})", entry.word);
  text += entry.lines.empty() ? ": nothing likely\n" : "\n";
  for (const EntryLine& line : entry.lines) {
    const EntryForm& leading = line.leading();
    text += leading.known ? fmt::format("  known  {}", leading.word)
                          : fmt::format("  {:5.2f}  {}", leading.p_translation, leading.word);
    for (std::size_t i = 1; i < line.forms.size(); ++i) text += ", " + line.forms[i].word;
    text += '\n';
  }
  output_.write(text);
}

void EntryWriter::write_lines(const Entry& entry) {
  const bool csv = style_ == Style::csv;
  const auto cell = [&](const std::string& word) { return csv ? csv_cell(word, formulas_) : escape_field(word); };
  for (std::size_t number = 0; number < entry.lines.size(); ++number)
    for (const EntryForm& form : entry.lines[number].forms)
      output_.write(fmt::format("{1}{0}{2}{0}{3}{0}{4:.6f}{0}{5:.6f}{0}{6}{0}{7}{0}{8}\n", csv ? ',' : '\t',
                                cell(entry.query), number + 1, cell(form.word), form.p_translation, form.p_first,
                                form.rank, form.frequency_rank(), form.known ? "known" : "guessed"));
}

/// One array whose elements are lines, so that it can be read as it grows.
void EntryWriter::write_json(const Entry& entry) {
  Json lines = Json::array();
  for (const EntryLine& line : entry.lines) {
    Json forms = Json::array();
    for (const EntryForm& form : line.forms)
      forms.push_back({{"word", form.word},
                       {"p_translation", form.p_translation},
                       {"p_first", form.p_first},
                       {"rank", form.rank},
                       {"frequency_rank", form.id ? Json(form.frequency_rank()) : Json()},
                       {"known", form.known}});
    lines.push_back({{"forms", std::move(forms)}});
  }
  const Json object = {{"query", entry.query}, {"word", entry.word}, {"lines", std::move(lines)}};
  output_.write(first_ ? "[\n" : ",\n");
  output_.write(object.dump());
  first_ = false;
}

std::string balance_line(const EntryBalance& balance) {
  return fmt::format(
      "candidates with p_translation from {:.2f} on: {:.0f}% of them right, {:.0f}% of the translations "
      "named, {}",
      balance.threshold, balance.precision, balance.recall,
      balance.words > 0 ? fmt::format("expected from {}", counted(balance.words, "held-out word"))
                        : "as on other languages");
}

}  // namespace wordbridge::cli
