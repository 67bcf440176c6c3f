#pragma once
#include <cstddef>
#include <cstdint>

#include "lexicon/word_pairs.h"

namespace wordbridge {

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
