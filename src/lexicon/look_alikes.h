#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Words that differ by a letter at most look alike: the same edit distance, up to 1.
inline constexpr std::size_t kLettersOfLookAlikes = 5;  // of the longer word; shorter ones must be equal

/// The words of a vocabulary by their spelling.
class LookAlikes {
 public:
  /// The first `count` words.
  LookAlikes(const Vocabulary& vocabulary, std::size_t count);

  /// Words that are written as this one or differ in one letter, letter case and accents aside (spelling.h), ascending.
  /// Words of less than three letters, and those without a letter (numbers), look like nothing.
  std::vector<WordId> find(std::string_view word) const;

 private:
  struct Entry {
    std::uint64_t key;  // of the word, or of the word without one of its letters
    WordId word;
  };

  const Vocabulary& vocabulary_;
  std::vector<Entry> entries_;  // sorted
};

}  // namespace wordbridge
