#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "wordbridge/error.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

/// What is wrong with a lexicon that was given for two vocabularies.
enum class LexiconMistake {
  none,
  swapped,       // its columns, or the two files of vectors, are in the wrong order
  other_case,    // its letters have another case than the vocabularies'
  wrong_source,  // the source words are of another language than the source vocabulary
  wrong_target,  // the same for the target
};

/// A lexicon that must not be used with these vocabularies; the message names what was found.
class LexiconMistakeError : public InputError {
 public:
  LexiconMistakeError(std::string path, LexiconMistake mistake, std::string reason)
      : InputError(std::move(path), 0, std::move(reason)), mistake_(mistake) {}
  LexiconMistake mistake() const { return mistake_; }

 private:
  LexiconMistake mistake_;
};

/// Where the words of one column were found, among the pairs of two different strings (equal ones tell nothing).
struct ColumnMatches {
  std::uint64_t pairs = 0;  // all pairs of two different strings
  std::uint64_t own = 0;    // the word is in the vocabulary of its own side
  /// The word is among the first n words of the other side, n the size of the smaller vocabulary: a large vocabulary
  /// holds some words of every language, and must not win by that.
  std::uint64_t other = 0;
};

/// What the counts say. The thresholds lie far from what lexicons that fit have, related languages, small vocabularies
/// and low coverage included:
///   swapped       more than twice as many pairs match the other way round, and at least 5 of them only that way. In
///                 lexicons that fit, one pair in a hundred at most matches only the other way round.
///   other_case    more than twice as many pairs match in any letter case, and at least 5 more.
///   wrong_target  at least 20 pairs; fewer than 0.6 times as many target words as source words are found, and these no
///                 more than 1.25 times as often as in the other side's vocabulary; or half as often as there. Words
///                 that fit are found at least twice as often as there (English and Spanish words of MUSE in the
///                 vocabularies of Wikipedia: 2.7 and 13 times).
///   wrong_source  the same for the other side.
LexiconMistake likely_mistake(const LexiconCoverage& coverage, const ColumnMatches& source,
                              const ColumnMatches& target);

/// One line for people: what was found, and what it looks like; no remedy. Empty for `none`.
std::string explain(LexiconMistake mistake, const LexiconCoverage& coverage, const ColumnMatches& source,
                    const ColumnMatches& target);

}  // namespace wordbridge
