#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/stored_lexicon.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The pairs of a lexicon as words, with those outside the vocabularies and without those of weight 0.
StoredLexicon words_of(const Lexicon& lexicon, const Vocabulary& source, const Vocabulary& target);

/// What a user has said of the translations of words, from one side: what a mapping carries, and more.
class KnownTranslations {
 public:
  KnownTranslations() = default;
  /// `stored` may be nullptr. `asking` is the side whose words are asked for. Each pair counts once.
  KnownTranslations(const StoredLexicon* stored, std::span<const Lexicon::WrittenPair> more, Side asking);

  bool empty() const { return pairs_ == 0; }
  std::size_t pairs() const { return pairs_; }
  /// In the order in which they were said; none for a word of which nothing is known. The word may be typed in another
  /// letter case, as the policy lets it.
  std::span<const std::string> of(std::string_view word, CasePolicy policy = CasePolicy::exact) const;
  bool has(std::string_view word, std::string_view translation) const;

 private:
  void add(const std::string& word, const std::string& translation);

  Vocabulary words_;
  std::vector<std::vector<std::string>> translations_;  // by the word's place
  std::size_t pairs_ = 0;
};

}  // namespace wordbridge
