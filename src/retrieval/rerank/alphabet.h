#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexicon/spelling.h"

namespace wordbridge {

/// The most frequent letters of a language by number, and three symbols behind them: any other letter, the beginning
/// and the end of a word.
class Alphabet {
 public:
  using Symbol = std::uint8_t;
  static constexpr std::size_t kMostLetters = 28;
  static constexpr std::size_t kLongestWord = 30;  // letters beyond are not looked at

  /// The most frequent of a vocabulary, each word counted once; ties by code point.
  explicit Alphabet(const SpellingTable& words, std::size_t letters = kMostLetters);
  /// From stored letters.
  explicit Alphabet(std::vector<std::uint32_t> letters);

  const std::vector<std::uint32_t>& letters() const { return letters_; }
  std::size_t size() const { return letters_.size() + 3; }
  Symbol other() const { return static_cast<Symbol>(letters_.size()); }
  Symbol begin() const { return static_cast<Symbol>(letters_.size() + 1); }
  Symbol end() const { return static_cast<Symbol>(letters_.size() + 2); }

  Symbol symbol(char32_t letter) const;
  /// Beginning, letters, end.
  std::vector<Symbol> encode(std::u32string_view word) const;

 private:
  std::vector<std::uint32_t> letters_;
  std::unordered_map<std::uint32_t, Symbol> symbols_;
};

/// The probability of words letter by letter, each given the one before: P(c | b) from the counts of a vocabulary, one
/// tenth added to each.
class LetterBigrams {
 public:
  LetterBigrams(const SpellingTable& words, const Alphabet& alphabet);
  /// As they were computed before: values() of an alphabet of that size.
  LetterBigrams(std::size_t symbols, std::span<const double> values)
      : size_(symbols),
        logs_(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(symbols * symbols)),
        unigrams_(values.begin() + static_cast<std::ptrdiff_t>(symbols * symbols), values.end()) {}
  /// log P(c | b) for each b and c, and the share of each symbol.
  std::vector<double> values() const;

  /// Of an encoded word.
  double log_probability(std::span<const Alphabet::Symbol> word) const;
  /// The share of a symbol among all.
  double unigram(Alphabet::Symbol symbol) const { return unigrams_[symbol]; }

 private:
  std::size_t size_;
  std::vector<double> logs_;  // of P(c | b), at b * size + c
  std::vector<double> unigrams_;
};

}  // namespace wordbridge
