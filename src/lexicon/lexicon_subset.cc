#include "lexicon/lexicon_subset.h"

#include <string_view>
#include <unordered_set>
#include <utility>

namespace wordbridge {

WordPairs without_source_words(WordPairs pairs, const WordPairs& others) {
  std::unordered_set<std::string_view> words;
  for (const WordPairs::Pair& pair : others.pairs) words.insert(pair.source);
  std::erase_if(pairs.pairs, [&](const WordPairs::Pair& pair) { return words.contains(pair.source); });
  return pairs;
}

WordPairs first_source_words(WordPairs pairs, std::size_t count) {
  std::unordered_set<std::string> words;
  std::erase_if(pairs.pairs, [&](const WordPairs::Pair& pair) {
    if (words.contains(pair.source)) return false;
    if (words.size() == count) return true;
    words.insert(pair.source);
    return false;
  });
  return pairs;
}

WordPairs reversed(WordPairs pairs) {
  for (WordPairs::Pair& pair : pairs.pairs) std::swap(pair.source, pair.target);
  return pairs;
}

}  // namespace wordbridge
