#pragma once
#include "wordbridge/lexicon/lexicon.h"
#include "wordbridge/vectors/word_vectors.h"

namespace wordbridge {

/// A table whose words are the numbers of its rows.
WordVectors numbered_vectors(Matrix table);

/// The pairs (0, 0), (1, 1), ... (pairs - 1, pairs - 1).
Lexicon diagonal_lexicon(std::size_t pairs);

}  // namespace wordbridge
