#include "cli/options/lexicon_options.h"

#include <fmt/format.h>

#include "cli/options/arguments.h"
#include "lexicon/identical_words.h"
#include "lexicon/lexicon_reader.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

void LexiconOptions::declare(Arguments& arguments, Sources sources) {
  arguments.heading("Lexicon");
  arguments.text("--lexicon", path_, "FILE", "Pairs 'source target', one a line",
                 sources == Sources::file ? Arguments::Need::required : Arguments::Need::optional);
  if (sources == Sources::file_or_shared_words) {
    arguments.flag("--identical-words", identical_, "Instead of a file: words that both vocabularies have");
    arguments.flag("--numerals", numerals_, "Instead of a file: numbers that both vocabularies have");
    arguments.exclude("--lexicon", "--identical-words");
    arguments.exclude("--lexicon", "--numerals");
    arguments.exclude("--identical-words", "--numerals");
  }
  declare_details(arguments);
  arguments.choice("--case", case_policy_, {"exact", "lower", "title"},
                   "What to try for words not found as written: nothing, lower case, then title case (default: exact)");
}

void LexiconOptions::declare_details(Arguments& arguments) {
  arguments.heading(kLexiconDetails);
  arguments.flag("--swap-lexicon", swap_,
                 "The lexicon's target words come first: read its columns the other way round");
  arguments.flag("--unchecked-lexicon", unchecked_,
                 "Use the lexicon also where it seems to be swapped, of other languages or in another letter case");
}

void LexiconOptions::use(const std::string& path, const std::string& case_policy) {
  path_ = path;
  case_policy_ = case_policy;
}

std::string LexiconOptions::name() const {
  return !path_.empty() ? path_ : identical_ ? "identical words" : numerals_ ? "numerals" : "";
}

void LexiconOptions::read(bool lenient, bool drop_identical) {
  if (path_.empty() && swap_) throw UsageError("--swap-lexicon goes with --lexicon FILE");
  if (!path_.empty())
    pairs_ = read_word_pairs(path_, {.swap_columns = swap_, .drop_identical = drop_identical, .lenient = lenient});
}

LexiconChecks LexiconOptions::checks() const {
  if (unchecked_) return LexiconChecks::none;
  return case_policy_.empty() ? LexiconChecks::all : LexiconChecks::except_case;
}

void LexiconOptions::refuse(const LexiconMistakeError& error) const {
  std::string remedy;
  switch (error.mistake()) {
    case LexiconMistake::none:
      break;
    case LexiconMistake::swapped:
      remedy = swap_ ? "; leave --swap-lexicon out" : "; --swap-lexicon reads its columns the other way round";
      break;
    case LexiconMistake::other_case:
      remedy = "; --case title finds them, --case exact does without";
      break;
    case LexiconMistake::wrong_source:
    case LexiconMistake::wrong_target:
      remedy = "; give the vectors of its language (--unchecked-lexicon uses what there is)";
      break;
  }
  throw InputError(error.path(), error.line(), error.reason() + remedy);
}

Lexicon LexiconOptions::find(Session& session, const Vocabulary& source, const Vocabulary& target) const {
  if (!given()) return Lexicon();
  try {
    Lexicon lexicon = pairs_      ? find_pairs(*pairs_, source, target, case_policy(), checks())
                      : numerals_ ? identical_numerals(source, target)
                                  : identical_words(source, target);
    note_coverage(session, lexicon.coverage());
    return lexicon;
  } catch (const LexiconMistakeError& error) {
    refuse(error);
  }
}

GoldLexicon LexiconOptions::find_gold(Session& session, const Vocabulary& source, const Vocabulary& target) const {
  try {
    GoldLexicon lexicon(pairs_.value(), source, target, case_policy(), checks());
    note_coverage(session, lexicon.coverage());
    return lexicon;
  } catch (const LexiconMistakeError& error) {
    refuse(error);
  }
}

void LexiconOptions::note_coverage(Session& session, const LexiconCoverage& coverage) const {
  const std::string line = fmt::format("{}: {}", name(), coverage.to_line());
  if (coverage.skipped_lines > 0)
    session.note_skipped(line);
  else
    session.note(line);
}

}  // namespace wordbridge::cli
