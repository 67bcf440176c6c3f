#pragma once
#include <string>
#include <vector>

#include "lexicon/word_pairs.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

inline Vocabulary vocabulary_of(const std::vector<std::string>& words) { return Vocabulary(words); }

/// The pairs of a lexicon file with this text, named lexicon.txt; leniently read.
WordPairs pairs_of(std::string text);

}  // namespace wordbridge
