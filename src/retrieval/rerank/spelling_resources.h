#pragma once
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lexicon/spelling.h"
#include "retrieval/rerank/alphabet.h"
#include "retrieval/rerank/ngram_index.h"
#include "retrieval/rerank/suffix_pairs.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// The spellings of two vocabularies, and what is counted of them: made once for all maps between them.
struct SpellingResources {
  SpellingResources(const Vocabulary& asking, const Vocabulary& answering)
      : asking_words(asking),
        answering_words(answering),
        ngrams(asking_words, answering_words),
        suffixes(answering_words) {
    const auto same = std::make_shared<std::vector<WordId>>();
    for (WordId word = 0; word < answering.size(); ++word)
      same->push_back(asking.find(answering[word]).value_or(kNoWord));
    same_asking_word = *same;
    owner = same;
  }
  /// As they were made before; `file` keeps what they show.
  SpellingResources(SpellingTable asking, SpellingTable answering, NgramIndex grams, SuffixShares shares,
                    std::span<const WordId> same, std::shared_ptr<const void> file)
      : asking_words(std::move(asking)),
        answering_words(std::move(answering)),
        ngrams(std::move(grams)),
        same_asking_word(same),
        suffixes(std::move(shares)),
        owner(std::move(file)) {}
  SpellingResources(const SpellingResources&) = delete;  // for it is large
  SpellingResources& operator=(const SpellingResources&) = delete;

  /// Of the words of a side, by an alphabet; from before where they were counted by the same one.
  LetterBigrams bigrams(Side side, const Alphabet& alphabet) const {
    for (const Bigrams& known : known_bigrams)
      if (known.side == side && known.letters == alphabet.letters()) return known.counted;
    return {side == Side::source ? asking_words : answering_words, alphabet};
  }

  SpellingTable asking_words, answering_words;
  NgramIndex ngrams;
  static constexpr WordId kNoWord = std::numeric_limits<WordId>::max();
  std::span<const WordId>
      same_asking_word;  // for each answering word the asking one that is the same string, or kNoWord
  SuffixShares suffixes;
  struct Bigrams {
    Side side;
    std::vector<std::uint32_t> letters;
    LetterBigrams counted;
  };
  std::vector<Bigrams> known_bigrams = {};
  std::shared_ptr<const void> owner;  // of same_asking_word
};

}  // namespace wordbridge
