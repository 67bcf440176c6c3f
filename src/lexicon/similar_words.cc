#include "lexicon/similar_words.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/checksum.h"
#include "vectors/letter_case.h"

namespace wordbridge {

namespace {

constexpr std::size_t kFewestLetters = 3;

/// The letters, in lower case: each a run of bytes that UTF-8 keeps together.
std::vector<std::string> lower_letters_of(std::string_view word) {
  std::vector<std::string> letters;
  for (const char byte : to_lower(word)) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
    if (!continues || letters.empty()) letters.emplace_back();
    letters.back() += byte;
  }
  return letters;
}

std::size_t edit_distance(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::size_t> row(b.size() + 1);  // distances of the first i letters of a to each beginning of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

bool is_word(std::string_view word, const std::vector<std::string>& letters) {
  return letters.size() >= kFewestLetters && letter_case(word) != LetterCase::no_letters;
}

/// Of the word, and of the word without each of its letters: two words at distance 1 share one.
std::vector<std::uint64_t> keys_of(const std::vector<std::string>& letters) {
  std::vector<std::uint64_t> keys;
  for (std::size_t left_out = 0; left_out <= letters.size(); ++left_out) {
    std::string text;
    for (std::size_t i = 0; i < letters.size(); ++i)
      if (i != left_out) text += letters[i];
    keys.push_back(xxh3(text.data(), text.size()));
  }
  return keys;
}

bool look_alike(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a == b) return true;
  const auto [least, most] = std::minmax({a.size(), b.size()});
  return most >= kLettersOfLookAlikes && most - least <= 1 && edit_distance(a, b) <= 1;
}

}  // namespace

double spelling_similarity(std::string_view a, std::string_view b) {
  const auto x = lower_letters_of(a), y = lower_letters_of(b);
  const std::size_t most = std::max(x.size(), y.size());
  return most == 0 ? 1 : 1 - static_cast<double>(edit_distance(x, y)) / static_cast<double>(most);
}

LookAlikes::LookAlikes(const Vocabulary& vocabulary, std::size_t count) : vocabulary_(vocabulary) {
  for (std::size_t i = 0; i < std::min(count, vocabulary.size()); ++i) {
    const auto id = static_cast<WordId>(i);
    const auto letters = lower_letters_of(vocabulary[id]);
    if (!is_word(vocabulary[id], letters)) continue;
    for (const std::uint64_t key : keys_of(letters)) entries_.push_back({key, id});
  }
  std::ranges::sort(entries_);
}

std::vector<WordId> LookAlikes::find(std::string_view word) const {
  const auto letters = lower_letters_of(word);
  std::vector<WordId> found;
  if (!is_word(word, letters)) return found;
  for (const std::uint64_t key : keys_of(letters)) {
    for (auto at = std::ranges::lower_bound(entries_, key, {}, &Entry::key); at != entries_.end() && at->key == key;
         ++at)
      found.push_back(at->word);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [&](WordId id) { return !look_alike(letters, lower_letters_of(vocabulary_[id])); });
  return found;
}

}  // namespace wordbridge
