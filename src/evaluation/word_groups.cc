#include "evaluation/word_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lexicon/spelling.h"
#include "wordbridge/error.h"

namespace wordbridge {

std::vector<FrequencyBand> by_frequency(const WordTranslation& result, std::span<const std::size_t> bounds) {
  if (std::ranges::adjacent_find(bounds, std::greater_equal()) != bounds.end() || (!bounds.empty() && bounds[0] == 0))
    throw UsageError("bounds of frequency bands must be positive and rise");
  std::vector<FrequencyBand> bands;
  for (std::size_t i = 0; i <= bounds.size(); ++i) {
    FrequencyBand band;
    band.first = i == 0 ? 1 : bounds[i - 1] + 1;
    band.last = i < bounds.size() ? bounds[i] : 0;
    std::vector<WordTranslation::Word> words;
    for (const WordTranslation::Word& word : result.words)
      if (word.id && *word.id + std::size_t{1} >= band.first && (band.last == 0 || *word.id < band.last))
        words.push_back(word);
    if (words.empty()) continue;
    const auto covered = std::ranges::count_if(words, [](const auto& word) { return word.covered; });
    band.all = shares_of(words, words.size());
    band.covered = shares_of(words, static_cast<std::size_t>(covered));
    bands.push_back(band);
  }
  return bands;
}

std::vector<std::size_t> parse_bounds(std::string_view text) {
  std::vector<std::size_t> bounds;
  for (const char *at = text.data(), *end = at + text.size();;) {
    std::size_t bound = 0;
    const auto [stop, error] = std::from_chars(at, end, bound);
    if (error != std::errc() || bound == 0 || (stop != end && *stop != ',') ||
        (!bounds.empty() && bound <= bounds.back()))
      throw UsageError(
          fmt::format("bounds of frequency bands are rising whole numbers joined by commas, not '{}'", text));
    bounds.push_back(bound);
    if (stop == end) return bounds;
    at = stop + 1;
  }
}

namespace {

bool has_equal_gold(const WordTranslation::Word& word) { return std::ranges::count(word.gold, word.word) > 0; }

bool has_similar_gold(const WordTranslation::Word& word) {
  constexpr double kSimilar = 0.5;
  return std::ranges::any_of(word.gold,
                             [&](const std::string& gold) { return spelling_similarity(word.word, gold) > kSimilar; });
}

}  // namespace

std::vector<SpellingGroup> by_spelling(const WordTranslation& result) {
  std::vector<WordTranslation::Word> equal, others, similar, unlike;
  for (const WordTranslation::Word& word : result.words) {
    if (has_equal_gold(word)) {
      equal.push_back(word);
      continue;
    }
    others.push_back(word);
    (has_similar_gold(word) ? similar : unlike).push_back(word);
  }
  const auto group = [](const char* name, const char* key, const std::vector<WordTranslation::Word>& words) {
    return SpellingGroup{name, key, shares_of(words, words.size())};
  };
  return {group("an equal string is right", "equal", equal), group("none is", "not_equal", others),
          group("  a similar one is", "similar", similar), group("  none is similar", "unlike", unlike)};
}

bool RerankAnalysis::gains_by_spelling_alone() const {
  const WordTranslation::Shares &after = reranked.back().shares, &before = csls.back().shares;  // none is similar
  return comparison.only_second > comparison.only_first && after.precision[0] <= before.precision[0];
}

RerankAnalysis analyze_reranked(const WordTranslation& reranked, const WordTranslation& csls,
                                const BootstrapOptions& options) {
  return {by_spelling(reranked), by_spelling(csls), compare(csls, reranked, options)};
}

}  // namespace wordbridge
