#include "cli/options/lexicon_options.h"

#include <fmt/format.h>

#include "cli/options/arguments.h"
#include "lexicon/identical_words.h"

namespace wordbridge::cli {

void LexiconOptions::declare(Arguments& arguments, Sources sources) {
  const bool file_only = sources == Sources::file;
  arguments.heading("Lexicon");
  arguments.text("--lexicon", path_, "FILE", "Pairs 'source target', one a line",
                 file_only ? Arguments::Need::required : Arguments::Need::optional);
  if (!file_only) {
    arguments.flag("--identical-words", identical_, "Instead of a file: words that both vocabularies have");
    arguments.flag("--numerals", numerals_, "Instead of a file: numbers that both vocabularies have");
    arguments.exclude("--lexicon", "--identical-words");
    arguments.exclude("--lexicon", "--numerals");
    arguments.exclude("--identical-words", "--numerals");
  }
  arguments.choice("--case", case_policy_, {"exact", "lower", "title"},
                   "What to try for words not found as written: nothing, lower case, then title case (default: exact)");
}

LexiconOptions LexiconOptions::of(const std::string& path, const std::string& case_policy) {
  LexiconOptions options;
  options.path_ = path;
  options.case_policy_ = case_policy;
  return options;
}

std::string LexiconOptions::name() const {
  return !path_.empty() ? path_ : identical_ ? "identical words" : numerals_ ? "numerals" : "";
}

void LexiconOptions::read(bool lenient, bool drop_identical) {
  if (!path_.empty()) pairs_ = read_word_pairs(path_, {.drop_identical = drop_identical, .lenient = lenient});
}

Lexicon LexiconOptions::find(Session& session, const Vocabulary& source, const Vocabulary& target) const {
  if (!given()) return Lexicon();
  Lexicon lexicon = pairs_      ? find_pairs(*pairs_, source, target, parse_case_policy(case_policy_))
                    : numerals_ ? identical_numerals(source, target)
                                : identical_words(source, target);
  note_coverage(session, lexicon.coverage());
  return lexicon;
}

GoldLexicon LexiconOptions::find_gold(Session& session, const Vocabulary& source, const Vocabulary& target) const {
  GoldLexicon lexicon(pairs_.value(), source, target, parse_case_policy(case_policy_));
  note_coverage(session, lexicon.coverage());
  return lexicon;
}

void LexiconOptions::note_coverage(Session& session, const LexiconCoverage& coverage) const {
  session.note(fmt::format("{}: {}", name(), coverage.to_line()));
}

}  // namespace wordbridge::cli
