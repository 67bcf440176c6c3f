#pragma once
#include <optional>
#include <vector>

#include "lexicon/lexicon_mistake.h"
#include "lexicon/word_lookup.h"
#include "lexicon/word_pairs.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

/// Written pairs looked up in two vocabularies.
struct PairLookup {
  struct Item {
    std::optional<WordId> source, target;
    bool repeated = false;  // the same two ids came before, in another letter case

    bool usable() const { return source && target && !repeated; }
  };

  std::vector<Item> items;  // one for each written pair
  LexiconCoverage coverage;
};

/// Throws LexiconMistakeError where no pair has both words in the vocabularies (the message says what is missing), and
/// where few have and the rest says why: columns that are swapped, words of another language or in another letter case.
PairLookup look_up_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                         CasePolicy case_policy, LexiconChecks checks = LexiconChecks::all);

}  // namespace wordbridge
