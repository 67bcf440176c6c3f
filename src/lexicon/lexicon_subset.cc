#include "lexicon/lexicon_subset.h"

#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/random.h"

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

WordPairs with_wrong_targets(WordPairs pairs, double percent, std::uint64_t seed) {
  std::vector<std::size_t> places(pairs.pairs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  Random random(seed);
  random.shuffle(places);
  places.resize(static_cast<std::size_t>(std::lround(static_cast<double>(places.size()) * percent / 100)));
  for (std::size_t i = 1; i < places.size(); ++i)
    std::swap(pairs.pairs[places[i - 1]].target, pairs.pairs[places[i]].target);
  return pairs;
}

WordPairs reversed(WordPairs pairs) {
  for (WordPairs::Pair& pair : pairs.pairs) std::swap(pair.source, pair.target);
  return pairs;
}

}  // namespace wordbridge
