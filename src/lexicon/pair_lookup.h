#pragma once
#include <optional>
#include <vector>

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

/// Throws InputError where no pair has both words in the vocabularies; the message says what is missing and what would
/// help.
PairLookup look_up_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                         CasePolicy case_policy);

}  // namespace wordbridge
