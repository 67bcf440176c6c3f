#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {
class GoldLexicon;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

/// The result of a word translation test. A source word is right at rank n if any of its gold targets is among the n
/// best. All shares are in percent, as in the paper.
struct WordTranslation {
  static constexpr std::array<std::size_t, 3> kRanks = {1, 5, 10};
  static constexpr std::size_t kDeepest = 10;

  struct Shares {
    std::size_t words = 0;                             // the denominator
    std::array<double, kRanks.size()> precision = {};  // P@1, P@5, P@10
    double mrr_at_10 = 0;                              // mean of 1/rank, 0 where no gold target is in the first ten
  };

  /// What happened to one source word of the lexicon.
  struct Word {
    std::string word;                      // as the lexicon spells it
    bool covered = false;                  // the word and a gold target are in the vocabularies
    std::vector<std::string> gold;         // all its translations, whether in the vocabulary or not
    std::vector<std::string> predictions;  // best first; none for a word outside the vocabulary or with a zero vector
    std::vector<double> scores;            // theirs
    std::size_t rank = 0;                  // of the best gold target, from 1; 0: none in the first ten
    std::optional<WordId> id = {};         // in the source vocabulary, where it is there
  };

  std::string criterion;
  Shares all;      // over all source words of the lexicon (fastText's way): those that are not covered count as wrong
  Shares covered;  // over the covered ones (the way of MUSE)
  LexiconCoverage coverage;
  std::vector<Word> words;  // in the order of the lexicon

  /// Share of source words that are covered.
  double coverage_percent() const { return coverage.source_percent(); }
};

/// How well the space translates the words of a test lexicon.
WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const std::string& lexicon_path, const LexiconOptions& options = {});

/// The same for a lexicon that is read, and looked up in the vocabularies of the space. `asking`: the side that the
/// words of the lexicon belong to, as for the criterion.
WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const GoldLexicon& lexicon, Side asking = Side::source);

/// The shares of some words, of which `denominator` count.
WordTranslation::Shares shares_of(std::span<const WordTranslation::Word> words, std::size_t denominator);

}  // namespace wordbridge
