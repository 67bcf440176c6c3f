#include "lexicon/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// How many of the source words go to validation; UsageError where they cannot be divided.
std::size_t validation_words(std::size_t words, double validation_share) {
  if (!(validation_share > 0 && validation_share < 1))
    throw UsageError(fmt::format("the validation share must be above 0 and below 1, not {}", validation_share));
  if (words < 2)
    throw UsageError(fmt::format("a lexicon of {} source word{} cannot be split into train and validation", words,
                                 words == 1 ? "" : "s"));
  const double wanted = std::round(validation_share * static_cast<double>(words));
  return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, words - 1);
}

/// `count` of the candidates, drawn with the seed, go to validation with all their pairs.
LexiconSplit split_by_words(const Lexicon& lexicon, std::vector<WordId> candidates, std::size_t count,
                            std::uint64_t seed) {
  Random random(seed);
  random.shuffle(candidates);
  candidates.resize(count);
  std::sort(candidates.begin(), candidates.end());
  std::vector<Lexicon::Pair> train, validation;
  for (const Lexicon::Pair& pair : lexicon.pairs())
    (std::binary_search(candidates.begin(), candidates.end(), pair.source) ? validation : train).push_back(pair);
  return {Lexicon(std::move(train)), Lexicon(std::move(validation))};
}

}  // namespace

LexiconSplit split_lexicon(const Lexicon& lexicon, double validation_share, std::uint64_t seed) {
  std::vector<WordId> words = lexicon.source_words();
  const std::size_t count = validation_words(words.size(), validation_share);
  return split_by_words(lexicon, std::move(words), count, seed);
}

LexiconSplit split_off_rare(const Lexicon& lexicon, double validation_share, std::uint64_t seed) {
  const std::vector<WordId> words = lexicon.source_words();  // frequent words have small ids
  const std::size_t count = validation_words(words.size(), validation_share);
  const auto rare = std::span(words).last(std::max(count, words.size() / 2));
  return split_by_words(lexicon, {rare.begin(), rare.end()}, count, seed);
}

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
