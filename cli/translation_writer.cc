#include "cli/translation_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/escaped_text.h"

namespace wordbridge::cli {

TranslationWriter::TranslationWriter(TextOutput& output, const ListFormat& format, std::string what)
    : output_(output), style_(format.style()), formulas_(format.formulas()), what_(std::move(what)) {
  if (style_ == Style::csv) output_.write(fmt::format("word,rank,{},score\n", what_));
}

void TranslationWriter::write(const Translations& translations) {
  switch (style_) {
    case Style::people:
      return write_for_people(translations);
    case Style::tsv:
    case Style::csv:
      return write_lines(translations);
    case Style::json:
      return write_json(translations);
  }
}

void TranslationWriter::finish() {
  if (style_ == Style::json) output_.write(first_ ? "[]\n" : "\n]\n");
  output_.finish();
}

void TranslationWriter::write_for_people(const Translations& translations) {
  if (translations.candidates.empty()) return;
  const bool respelled =
      translations.origin == Translations::Origin::vocabulary && translations.word != translations.query;
  const char* by_subwords = translations.origin == Translations::Origin::subwords ? " (by its subwords)" : "";
  std::string text = fmt::format("{}{}{}\n", translations.query,
                                 respelled ? fmt::format(" ({})", translations.word) : "", by_subwords);
  for (const auto& candidate : translations.candidates)
    text += fmt::format("  {:7.4f}  {}\n", candidate.score, candidate.word);
  output_.write(text);
}

void TranslationWriter::write_lines(const Translations& translations) {
  std::size_t rank = 0;
  for (const auto& candidate : translations.candidates) {
    ++rank;
    output_.write(style_ == Style::csv ? fmt::format("{},{},{},{:.6f}\n", csv_cell(translations.query, formulas_), rank,
                                                     csv_cell(candidate.word, formulas_), candidate.score)
                                       : fmt::format("{}\t{}\t{}\t{:.6f}\n", escape_field(translations.query), rank,
                                                     escape_field(candidate.word), candidate.score));
  }
}

/// One array whose elements are lines, so that it can be read as it grows.
void TranslationWriter::write_json(const Translations& translations) {
  using Origin = Translations::Origin;
  nlohmann::ordered_json candidates = nlohmann::ordered_json::array();
  for (const auto& candidate : translations.candidates)
    candidates.push_back({{"word", candidate.word}, {"score", candidate.score}});
  const nlohmann::ordered_json object = {{"query", translations.query},
                                         {"word", translations.word},
                                         {"origin", translations.origin == Origin::vocabulary ? "vocabulary"
                                                    : translations.origin == Origin::subwords ? "subwords"
                                                                                              : "unknown"},
                                         {what_ + "s", std::move(candidates)}};
  output_.write(first_ ? "[\n" : ",\n");
  output_.write(object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  first_ = false;
}

}  // namespace wordbridge::cli
