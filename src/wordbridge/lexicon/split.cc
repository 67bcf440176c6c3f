#include "wordbridge/lexicon/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "wordbridge/base/error.h"
#include "wordbridge/base/random.h"

namespace wordbridge {

LexiconSplit split_lexicon(const Lexicon& lexicon, double validation_share, std::uint64_t seed) {
  if (!(validation_share > 0 && validation_share < 1))
    throw UsageError(fmt::format("validation share {}: more than 0 and less than 1 is wanted", validation_share));
  std::vector<WordId> words = lexicon.source_words();
  if (words.size() < 2)
    throw UsageError(fmt::format("a lexicon of {} source word{} cannot be split into train and validation",
                                 words.size(), words.size() == 1 ? "" : "s"));
  const double wanted = std::round(validation_share * static_cast<double>(words.size()));
  const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, words.size() - 1);
  Random random(seed);
  random.shuffle(words);
  words.resize(count);
  std::sort(words.begin(), words.end());
  std::vector<Lexicon::Pair> train, validation;
  for (const Lexicon::Pair& pair : lexicon.pairs())
    (std::binary_search(words.begin(), words.end(), pair.source) ? validation : train).push_back(pair);
  return {Lexicon(std::move(train)), Lexicon(std::move(validation))};
}

}  // namespace wordbridge
