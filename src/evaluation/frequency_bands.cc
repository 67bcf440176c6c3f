#include "evaluation/frequency_bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

}  // namespace wordbridge
