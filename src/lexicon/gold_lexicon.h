#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lexicon/lexicon_mistake.h"
#include "lexicon/word_lookup.h"
#include "lexicon/word_pairs.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

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

}  // namespace wordbridge
