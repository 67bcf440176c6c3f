#include "lexicon/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

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

}  // namespace wordbridge
