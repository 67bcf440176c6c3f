#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// How alike two words are written, letter case aside: 1 - d / n, with the edit distance d (letters put in, taken out
/// or changed) and the letters n of the longer one. 1: equal. Bytes that are not UTF-8 count as letters.
double spelling_similarity(std::string_view a, std::string_view b);

/// Words that differ by a letter at most look alike: the same edit distance, up to 1.
inline constexpr std::size_t kLettersOfLookAlikes = 5;  // of the longer word; shorter ones must be equal

/// The words of a vocabulary by their spelling.
class LookAlikes {
 public:
  /// The first `count` words.
  LookAlikes(const Vocabulary& vocabulary, std::size_t count);

  /// Words that are written as this one or differ in one letter, letter case aside, ascending. Words of less than three
  /// letters, and those without a letter (numbers), look like nothing.
  std::vector<WordId> find(std::string_view word) const;

 private:
  struct Entry {
    std::uint64_t key;  // of the word, or of the word without one of its letters
    WordId word;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  const Vocabulary& vocabulary_;
  std::vector<Entry> entries_;  // sorted
};

}  // namespace wordbridge
