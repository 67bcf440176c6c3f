#include "retrieval/rerank/alphabet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace wordbridge {

namespace {

std::vector<std::uint32_t> most_frequent_letters(const SpellingTable& words, std::size_t most) {
  std::map<std::uint32_t, std::size_t> counts;
  for (WordId word = 0; word < words.size(); ++word)
    for (const char32_t letter : words[word]) ++counts[letter];
  std::vector<std::pair<std::uint32_t, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::uint32_t, std::size_t>::second);
  std::vector<std::uint32_t> letters;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) letters.push_back(sorted[i].first);
  return letters;
}

}  // namespace

Alphabet::Alphabet(const SpellingTable& words, std::size_t letters) : Alphabet(most_frequent_letters(words, letters)) {}

Alphabet::Alphabet(std::vector<std::uint32_t> letters) : letters_(std::move(letters)) {
  for (std::size_t i = 0; i < letters_.size(); ++i) symbols_.emplace(letters_[i], static_cast<Symbol>(i));
}

Alphabet::Symbol Alphabet::symbol(char32_t letter) const {
  const auto found = symbols_.find(letter);
  return found == symbols_.end() ? other() : found->second;
}

std::vector<Alphabet::Symbol> Alphabet::encode(std::u32string_view word) const {
  std::vector<Symbol> symbols = {begin()};
  for (const char32_t letter : word.substr(0, kLongestWord)) symbols.push_back(symbol(letter));
  symbols.push_back(end());
  return symbols;
}

LetterBigrams::LetterBigrams(const SpellingTable& words, const Alphabet& alphabet)
    : size_(alphabet.size()), logs_(size_ * size_), unigrams_(size_) {
  constexpr double kSmoothing = 0.1;
  std::vector<double> counts(size_ * size_, kSmoothing);
  double symbols = 0;
  for (WordId word = 0; word < words.size(); ++word) {
    const auto encoded = alphabet.encode(words[word]);
    for (std::size_t i = 0; i < encoded.size(); ++i) {
      ++unigrams_[encoded[i]];
      if (i > 0) ++counts[encoded[i - 1] * size_ + encoded[i]];
    }
    symbols += static_cast<double>(encoded.size());
  }
  for (double& share : unigrams_) share = symbols > 0 ? share / symbols : 0;
  for (std::size_t before = 0; before < size_; ++before) {
    double total = 0;
    for (std::size_t symbol = 0; symbol < size_; ++symbol) total += counts[before * size_ + symbol];
    for (std::size_t symbol = 0; symbol < size_; ++symbol)
      logs_[before * size_ + symbol] = std::log(counts[before * size_ + symbol] / total);
  }
}

std::vector<double> LetterBigrams::values() const {
  std::vector<double> values = logs_;
  values.insert(values.end(), unigrams_.begin(), unigrams_.end());
  return values;
}

double LetterBigrams::log_probability(std::span<const Alphabet::Symbol> word) const {
  double sum = 0;
  for (std::size_t i = 1; i < word.size(); ++i) sum += logs_[word[i - 1] * size_ + word[i]];
  return sum;
}

}  // namespace wordbridge
