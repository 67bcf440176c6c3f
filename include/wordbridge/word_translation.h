#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/entry.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {
class GoldLexicon;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

/// How well entries name all translations of words, not only one: over the covered words of a test, whose translations
/// in the target vocabulary are what can be found. Shares are in percent.
struct EntryScores {
  static constexpr std::size_t kCandidates = 20;  // of each word, that are judged
  /// With the middle 95% of what it is where words are drawn anew, with replacement.
  struct Interval {
    double value = 0, low = 0, high = 0;
  };
  struct Group {
    std::size_t translations = 0;  // words that have so many; 4: so many or more; 0: all
    std::size_t words = 0;
    std::size_t known = 0, named = 0, right = 0;  // translations of the test, of the entries, in both
    double precision() const;
    double recall() const;
    double f1() const;
  };
  struct Bin {
    std::size_t candidates = 0;
    double probability = 0, right = 0;  // mean, and how many were right
  };
  EntryBalance balance;  // that was asked for, and what was expected of it
  Group all;
  std::vector<Group> groups;  // by number of translations: 1, 2, 3, 4 or more
  Interval precision, recall, f1;
  Interval average_precision;           // of all candidates of all words, by p_translation
  double recall_at_80 = 0;              // the largest recall at which precision is 80% at least
  std::vector<Bin> bins;                // ten, by p_translation
  double calibration_error = 0;         // mean over candidates of |right - probability| of their bins
  double calibration_error_likely = 0;  // the same over those of 5% and more
  /// Source words of the lexicon whose first candidate is right, and those where it is right or another form of a right
  /// one.
  double first_right = 0, first_right_in_any_form = 0;
};

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
    std::string word;                        // as the lexicon spells it
    bool covered = false;                    // the word and a gold target are in the vocabularies
    std::vector<std::string> gold;           // all its translations, whether in the vocabulary or not
    std::vector<std::string> predictions;    // best first; none for a word outside the vocabulary or with a zero vector
    std::vector<double> scores;              // theirs
    std::size_t rank = 0;                    // of the best gold target, from 1; 0: none in the first ten
    std::optional<WordId> id = {};           // in the source vocabulary, where it is there
    std::vector<double> p_translation = {};  // of the predictions, where the criterion gives probabilities
  };

  std::string criterion;
  Shares all;      // over all source words of the lexicon (fastText's way): those that are not covered count as wrong
  Shares covered;  // over the covered ones (the way of MUSE)
  LexiconCoverage coverage;
  std::vector<Word> words;                            // in the order of the lexicon
  std::optional<EntryScores> entries = std::nullopt;  // where the criterion gives probabilities

  /// Share of source words that are covered.
  double coverage_percent() const { return coverage.source_percent(); }
};

/// How well the space translates the words of a test lexicon.
WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const std::string& lexicon_path, const LexiconOptions& options = {});

/// The same for a lexicon that is read, and looked up in the vocabularies of the space. `asking`: the side that the
/// words of the lexicon belong to, as for the criterion.
WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const GoldLexicon& lexicon, Side asking = Side::source,
                                          const EntryOptions& entries = {});

/// The shares of some words, of which `denominator` count.
WordTranslation::Shares shares_of(std::span<const WordTranslation::Word> words, std::size_t denominator);

}  // namespace wordbridge
