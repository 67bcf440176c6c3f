#pragma once
#include <cstddef>

#include "wordbridge/lexicon.h"

namespace wordbridge {

// Lexicons without a file: words that two languages write alike (names, loans, abbreviations) are often translations.

/// Which words of the vocabularies may become pairs.
struct IdenticalWordsOptions {
  std::size_t max_rank = 0;  // only the first so many words of each vocabulary; 0: all
};

/// Every word that stands in both vocabularies, paired with itself, by source rank (Smith 2017). UsageError where there
/// is none.
Lexicon identical_words(const Vocabulary& source, const Vocabulary& target, const IdenticalWordsOptions& options = {});

/// Of these, the ones that are made of the digits 0-9 alone (Artetxe 2017): less noise, and no shared script wanted.
Lexicon identical_numerals(const Vocabulary& source, const Vocabulary& target,
                           const IdenticalWordsOptions& options = {});

/// Of the most frequent words of both sides, those of letters alone (with their marks), `min_letters` or more: short
/// words are often alike by chance, and what is no word hardly tells anything of meanings. Empty where there are none.
Lexicon identical_letter_words(const Vocabulary& source, const Vocabulary& target, std::size_t max_rank = 20'000,
                               std::size_t min_letters = 4);

}  // namespace wordbridge
