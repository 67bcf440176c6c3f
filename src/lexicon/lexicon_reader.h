#pragma once
#include <string>

#include "lexicon/gold_lexicon.h"
#include "lexicon/lexicon.h"
#include "lexicon/lexicon_mistake.h"
#include "lexicon/word_lookup.h"
#include "lexicon/word_pairs.h"

namespace wordbridge {

/// How to read a lexicon and to look its words up.
struct LexiconOptions {
  CasePolicy case_policy = CasePolicy::exact;  // what counts as the same word
  LexiconChecks checks = LexiconChecks::all;   // what must not be wrong with it
  bool swap_columns = false;                   // target words come first in the file
  bool drop_identical = false;                 // leave out pairs whose two strings are equal (evaluate --no-identical)
  bool lenient = false;                        // skip and count lines that are no pair instead of failing
};

/// The pairs of a file whose words are in the two vocabularies; see WordPairs for the format. Throws InputError for a
/// line that is no pair, LexiconMistakeError where no pair is usable or the lexicon is not one for these vocabularies.
Lexicon read_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                     const LexiconOptions& options = {});

/// The same for an evaluation, which counts the words outside the vocabularies too.
GoldLexicon read_gold_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                              const LexiconOptions& options = {});

/// Looks up pairs that were read before.
Lexicon find_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                   CasePolicy case_policy = CasePolicy::exact, LexiconChecks checks = LexiconChecks::all);

}  // namespace wordbridge
