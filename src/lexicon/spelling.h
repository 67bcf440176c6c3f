#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The letters of a word as spellings are compared: in lower case, decomposed, without the marks above and below
/// letters (U+0300 to U+036F), so that "Canción" and "cancion" are the same, and in Latin letters (romanization.h), so
/// that "Αθήνα" and "Athena" are. Bytes that are not UTF-8 are letters of their own.
std::u32string normalized_spelling(std::string_view word);

/// The normalized spellings of all words of a vocabulary, in one block.
class SpellingTable {
 public:
  SpellingTable() = default;
  explicit SpellingTable(const Vocabulary& vocabulary);

  std::size_t size() const { return starts_.size() - 1; }
  std::u32string_view operator[](WordId word) const {
    return std::u32string_view(letters_).substr(starts_[word], starts_[word + 1] - starts_[word]);
  }

 private:
  std::u32string letters_;
  std::vector<std::size_t> starts_ = {0};
};

/// Least number of letters to insert, delete or replace (Levenshtein).
std::size_t edit_distance(std::u32string_view a, std::u32string_view b);
/// The same, letter by letter: what tests compare it with, and words of more than 64 letters.
std::size_t slow_edit_distance(std::u32string_view a, std::u32string_view b);

/// 1 - edit distance / length of the longer one; 1 for two empty words.
double edit_similarity(std::u32string_view a, std::u32string_view b);
/// The same of the normalized spellings of two words.
double spelling_similarity(std::string_view a, std::string_view b);

std::size_t common_prefix(std::u32string_view a, std::u32string_view b);

}  // namespace wordbridge
