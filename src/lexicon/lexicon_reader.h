#pragma once
#include <string>

#include "lexicon/gold_lexicon.h"
#include "lexicon/lexicon_mistake.h"
#include "lexicon/word_lookup.h"
#include "lexicon/word_pairs.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

/// read_lexicon() for an evaluation, which counts the words outside the vocabularies too.
GoldLexicon read_gold_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                              const LexiconOptions& options = {});

/// Looks up pairs that were read before.
Lexicon find_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                   CasePolicy case_policy = CasePolicy::exact, LexiconChecks checks = LexiconChecks::all);

}  // namespace wordbridge
