#pragma once
#include <memory>

#include "lexicon/spelling.h"
#include "retrieval/rerank/ngram_index.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// The spellings of two vocabularies, and an index of the words that are ranked: made once for all maps between them.
struct SpellingResources {
  SpellingResources(const Vocabulary& asking, const Vocabulary& answering)
      : asking_words(asking), answering_words(answering), ngrams(asking_words, answering_words) {}
  SpellingResources(const SpellingResources&) = delete;  // the index refers to the tables
  SpellingResources& operator=(const SpellingResources&) = delete;

  SpellingTable asking_words, answering_words;
  NgramIndex ngrams;
};

}  // namespace wordbridge
