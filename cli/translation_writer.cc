#include "cli/translation_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/escaped_text.h"
#include "cli/session.h"
#include "lexicon/word_lookup.h"

namespace wordbridge::cli {

TextOutput::TextOutput(Session& session, const std::string& path) : session_(session) {
  if (!path.empty() && path != "-" && !session.options().is_mute) file_.emplace(path);
}

void TextOutput::write(std::string_view text) {
  if (file_)
    file_->write(text);
  else
    session_.print(text);
}

void TextOutput::flush() {
  if (!file_) session_.flush();
}

void TextOutput::finish() {
  if (file_) file_->commit();
}

std::string tidied_note(const Translations& translations) {
  const bool respelled = !translations.word.empty() && translations.word != translations.query;
  if (!respelled || tidied_word(translations.query) == translations.query) return {};
  return fmt::format(
      "'{}' is not in the vocabulary; '{}' is: blanks around a word do not count, nor how accents are encoded",
      translations.query, translations.word);
}

TranslationWriter::TranslationWriter(TextOutput& output, const ListFormat& format, std::string what)
    : output_(output),
      style_(format.style()),
      formulas_(format.formulas()),
      what_(std::move(what)),
      tells_known_(what_ == "translation") {
  if (style_ == Style::csv) output_.write(fmt::format("word,rank,{},score{}\n", what_, tells_known_ ? ",known" : ""));
}

namespace {

/// Empty for what was not ranked.
std::string score_text(double score) { return std::isnan(score) ? "" : fmt::format("{:.6f}", score); }

}  // namespace

void TranslationWriter::write(const Translations& translations, const Explanations& explanations) {
  switch (style_) {
    case Style::people:
      return write_for_people(translations, explanations);
    case Style::tsv:
    case Style::csv:
      return write_lines(translations, explanations);
    case Style::json:
      return write_json(translations, explanations);
  }
}

void TranslationWriter::finish() {
  if (style_ == Style::json) output_.write(first_ ? "[]\n" : "\n]\n");
  output_.finish();
}

void TranslationWriter::write_for_people(const Translations& translations, const Explanations& explanations) {
  if (translations.candidates.empty()) return;
  const bool respelled =
      translations.origin == Translations::Origin::vocabulary && translations.word != translations.query;
  const char* by_subwords = translations.origin == Translations::Origin::subwords ? " (by its subwords)"
                            : translations.origin == Translations::Origin::phrase ? " (by its words)"
                                                                                  : "";
  std::string text = fmt::format("{}{}{}\n", translations.query,
                                 respelled ? fmt::format(" ({})", translations.word) : "", by_subwords);
  for (const Translations::Candidate& candidate : translations.candidates) {
    text += candidate.known               ? fmt::format("    known  {}\n", candidate.word)
            : std::isnan(candidate.score) ? fmt::format("        -  {}\n", candidate.word)
                                          : fmt::format("  {:7.4f}  {}\n", candidate.score, candidate.word);
    if (const auto* explained = explanation_of(candidate, explanations))
      text += fmt::format("           {}\n", reasons_text(*explained));
  }
  output_.write(text);
}

void TranslationWriter::write_lines(const Translations& translations, const Explanations& explanations) {
  for (std::size_t i = 0; i < translations.candidates.size(); ++i) {
    const auto& candidate = translations.candidates[i];
    const auto* explained = explanation_of(candidate, explanations);
    const std::string reasons = explained != nullptr ? reasons_text(*explained) : "";
    const char* known = candidate.known ? "known" : candidate.composed ? "composed" : "guessed";
    std::string line;
    if (style_ == Style::csv) {
      line = fmt::format("{},{},{},{}", csv_cell(translations.query, formulas_), i + 1,
                         csv_cell(candidate.word, formulas_), score_text(candidate.score));
      if (tells_known_) line += fmt::format(",{}", known);
      if (!reasons.empty()) line += ',' + csv_cell(reasons, formulas_);
    } else {
      line = fmt::format("{}\t{}\t{}\t{}", escape_field(translations.query), i + 1, escape_field(candidate.word),
                         score_text(candidate.score));
      if (tells_known_) line += fmt::format("\t{}", known);
      if (!reasons.empty()) line += '\t' + reasons;
    }
    output_.write(line + '\n');
  }
}

/// One array whose elements are lines, so that it can be read as it grows.
void TranslationWriter::write_json(const Translations& translations, const Explanations& explanations) {
  output_.write(first_ ? "[\n" : ",\n");
  output_.write(translations_json(translations, explanations, what_).dump());
  first_ = false;
}

}  // namespace wordbridge::cli
