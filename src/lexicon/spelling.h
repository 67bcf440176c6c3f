#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Whether all letters are Latin, or no letters of any script: digits, punctuation, marks.
bool is_latin(std::u32string_view letters);

/// Letters of other scripts by Latin ones without marks, in lower case, as ICU transliterates them: "москва" is
/// "moskva", "αθήνα" is "athena", "東京" is "dong jing" without the blank. Latin letters stay as they are, and so does
/// what ICU does not know.
std::u32string romanized(std::u32string_view letters);

/// The letters of a word as spellings are compared: in lower case, decomposed, without the marks above and below
/// letters (U+0300 to U+036F), so that "Canción" and "cancion" are the same, and in Latin letters, so
/// that "Αθήνα" and "Athena" are. Bytes that are not UTF-8 are letters of their own.
std::u32string normalized_spelling(std::string_view word);

/// The normalized spellings of all words of a vocabulary, in one block. Copies share it.
class SpellingTable {
 public:
  SpellingTable() = default;
  explicit SpellingTable(const Vocabulary& vocabulary);
  /// As they lie somewhere: `starts` tells where each word begins, and where the last one ends.
  SpellingTable(std::span<const char32_t> letters, std::span<const std::uint64_t> starts,
                std::shared_ptr<const void> owner)
      : letters_(letters), starts_(starts), owner_(std::move(owner)) {}

  std::size_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  std::u32string_view operator[](WordId word) const {
    return {letters_.data() + starts_[word], static_cast<std::size_t>(starts_[word + 1] - starts_[word])};
  }
  std::span<const char32_t> letters() const { return letters_; }
  std::span<const std::uint64_t> starts() const { return starts_; }

 private:
  std::span<const char32_t> letters_;
  std::span<const std::uint64_t> starts_;
  std::shared_ptr<const void> owner_;
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

/// Words that differ by a letter at most look alike: the same edit distance, up to 1.
inline constexpr std::size_t kLettersOfLookAlikes = 5;  // of the longer word; shorter ones must be equal

/// The words of a vocabulary by their spelling.
class LookAlikes {
 public:
  /// The first `count` words.
  LookAlikes(const Vocabulary& vocabulary, std::size_t count);

  /// Words that are written as this one or differ in one letter, letter case and accents aside, ascending.
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
