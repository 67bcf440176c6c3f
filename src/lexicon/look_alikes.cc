#include "lexicon/look_alikes.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/checksum.h"
#include "lexicon/spelling.h"
#include "vectors/letter_case.h"

namespace wordbridge {

namespace {

constexpr std::size_t kFewestLetters = 3;

bool is_word(std::string_view word, std::u32string_view letters) {
  return letters.size() >= kFewestLetters && letter_case(word) != LetterCase::no_letters;
}

/// Of the word, and of the word without each of its letters: two words at distance 1 share one.
std::vector<std::uint64_t> keys_of(std::u32string_view letters) {
  std::vector<std::uint64_t> keys;
  for (std::size_t left_out = 0; left_out <= letters.size(); ++left_out) {
    std::u32string text(letters);
    if (left_out < letters.size()) text.erase(left_out, 1);
    keys.push_back(xxh3(text.data(), text.size() * sizeof(char32_t)));
  }
  return keys;
}

bool look_alike(std::u32string_view a, std::u32string_view b) {
  if (a == b) return true;
  const auto [least, most] = std::minmax({a.size(), b.size()});
  return most >= kLettersOfLookAlikes && most - least <= 1 && edit_distance(a, b) <= 1;
}

}  // namespace

LookAlikes::LookAlikes(const Vocabulary& vocabulary, std::size_t count) : vocabulary_(vocabulary) {
  for (std::size_t i = 0; i < std::min(count, vocabulary.size()); ++i) {
    const auto id = static_cast<WordId>(i);
    const auto letters = normalized_spelling(vocabulary[id]);
    if (!is_word(vocabulary[id], letters)) continue;
    for (const std::uint64_t key : keys_of(letters)) entries_.push_back({key, id});
  }
  std::ranges::sort(entries_, {}, [](const Entry& entry) { return std::pair(entry.key, entry.word); });
}

std::vector<WordId> LookAlikes::find(std::string_view word) const {
  const auto letters = normalized_spelling(word);
  std::vector<WordId> found;
  if (!is_word(word, letters)) return found;
  for (const std::uint64_t key : keys_of(letters)) {
    for (auto at = std::ranges::lower_bound(entries_, key, {}, &Entry::key); at != entries_.end() && at->key == key;
         ++at)
      found.push_back(at->word);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [&](WordId id) { return !look_alike(letters, normalized_spelling(vocabulary_[id])); });
  return found;
}

}  // namespace wordbridge
