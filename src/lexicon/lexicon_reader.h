#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lexicon/word_lookup.h"
#include "lexicon/word_pairs.h"
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

/// Written pairs looked up in two vocabularies.
struct PairLookup {
  struct Item {
    std::optional<WordId> source, target;
    bool repeated = false;  // the same two ids came before, in another letter case

    bool usable() const { return source && target && !repeated; }
  };

  std::vector<Item> items;  // one for each written pair
  LexiconCoverage coverage;
};

/// Throws LexiconMistakeError where no pair has both words in the vocabularies (the message says what is missing), and
/// where few have and the rest says why: columns that are swapped, words of another language or in another letter case.
PairLookup look_up_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                         CasePolicy case_policy, LexiconChecks checks = LexiconChecks::all);

/// A test lexicon by source word: what should be found for each, words outside the vocabularies included.
class GoldLexicon {
 public:
  struct Entry {
    std::string word;                  // as written in the lexicon
    std::optional<WordId> id;          // where the source vocabulary has it
    std::vector<std::string> targets;  // all translations, in file order
    std::vector<WordId> target_ids;    // those in the target vocabulary, ascending, distinct

    /// Both the word and one of its translations are in the vocabularies: the word can be translated right.
    bool covered() const { return id.has_value() && !target_ids.empty(); }
    bool accepts(WordId target) const;
  };

  GoldLexicon() = default;
  /// Throws LexiconMistakeError where no source word is covered, or few are and it shows why.
  GoldLexicon(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target, CasePolicy case_policy,
              LexiconChecks checks = LexiconChecks::all);
  /// Of a lexicon that holds usable pairs only, such as a validation split: every word is covered.
  GoldLexicon(const Lexicon& lexicon, const Vocabulary& source, const Vocabulary& target);

  /// In the order of their first pair in the file.
  std::span<const Entry> entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  std::size_t covered() const { return coverage_.source_words; }
  const LexiconCoverage& coverage() const { return coverage_; }

 private:
  std::vector<Entry> entries_;
  LexiconCoverage coverage_;
};

/// read_lexicon() for an evaluation, which counts the words outside the vocabularies too.
GoldLexicon read_gold_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                              const LexiconOptions& options = {});

/// Looks up pairs that were read before.
Lexicon find_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                   CasePolicy case_policy = CasePolicy::exact, LexiconChecks checks = LexiconChecks::all);

}  // namespace wordbridge
