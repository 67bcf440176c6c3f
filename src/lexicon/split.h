#pragma once
#include <cstddef>
#include <cstdint>

#include "lexicon/word_pairs.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

struct LexiconSplit {
  Lexicon train;
  Lexicon validation;
};

/// Divides by source word, so that no word is both learned from and tested: `validation_share` (in (0, 1)) of the
/// distinct source words, drawn with the seed, take all their pairs to `validation`. Both parts keep the order of the
/// pairs and hold one source word at least; UsageError if that is impossible.
LexiconSplit split_lexicon(const Lexicon& lexicon, double validation_share, std::uint64_t seed);

/// The same, but only the rarer half of the source words (by their place in the vocabulary) is drawn from: what a map
/// is for are words rarer than those of the lexicon, and it is on these that too long a training shows first.
LexiconSplit split_off_rare(const Lexicon& lexicon, double validation_share, std::uint64_t seed);

/// The pairs whose source words are not source words of `others`. The paper's "Full" lexicons are MUSE's dictionaries
/// without the words of the test: the dictionaries contain them.
WordPairs without_source_words(WordPairs pairs, const WordPairs& others);

/// The pairs of the first `count` distinct source words, all of their translations included.
WordPairs first_source_words(WordPairs pairs, std::size_t count);

/// So many percent of the pairs, drawn with the seed, pass their target words around among them: a lexicon with
/// mistakes.
WordPairs with_wrong_targets(WordPairs pairs, double percent, std::uint64_t seed);

/// Source and target words change places; pairs stay distinct and in order.
WordPairs reversed(WordPairs pairs);

}  // namespace wordbridge
