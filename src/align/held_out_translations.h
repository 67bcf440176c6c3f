#pragma once
#include <cstddef>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

/// Source words that a map was not learned from, with what they should be translated to: by these maps are compared.
class HeldOutTranslations {
 public:
  /// All source words of the lexicon. UsageError where it is empty.
  explicit HeldOutTranslations(const Lexicon& lexicon);

  std::size_t size() const { return words_.size(); }
  /// By ascending rank.
  const std::vector<WordId>& words() const { return words_; }
  /// Of each word, 1 where its best translation by CSLS with k neighbors is among the right ones.
  std::vector<std::uint8_t> translated_right(const CommonSpace& space, std::size_t k) const;
  /// The same from the best translations, which somebody else has found.
  std::vector<std::uint8_t> translated_right(const Candidates& best) const;

 private:
  std::vector<WordId> words_;                      // source words, ascending
  std::vector<std::vector<WordId>> translations_;  // of each, ascending
};

}  // namespace wordbridge
