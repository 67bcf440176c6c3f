#pragma once
#include <limits>
#include <memory>
#include <vector>

#include "lexicon/spelling.h"
#include "retrieval/rerank/ngram_index.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// The spellings of two vocabularies, and an index of the words that are ranked: made once for all maps between them.
struct SpellingResources {
  SpellingResources(const Vocabulary& asking, const Vocabulary& answering)
      : asking_words(asking), answering_words(answering), ngrams(asking_words, answering_words) {
    for (WordId word = 0; word < answering.size(); ++word)
      same_asking_word.push_back(asking.find(answering[word]).value_or(kNoWord));
  }
  SpellingResources(const SpellingResources&) = delete;  // the index refers to the tables
  SpellingResources& operator=(const SpellingResources&) = delete;

  SpellingTable asking_words, answering_words;
  NgramIndex ngrams;
  static constexpr WordId kNoWord = std::numeric_limits<WordId>::max();
  std::vector<WordId> same_asking_word;  // for each answering word the asking one that is the same string, or kNoWord
};

}  // namespace wordbridge
