#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/word_translation.h"

namespace wordbridge {

/// Word translation of the source words whose frequency ranks are from `first` to `last`, both included, counted from
/// 1: in the usual files, the row of a word is its rank.
struct FrequencyBand {
  std::size_t first = 1;
  std::size_t last = 0;  // 0: no end
  WordTranslation::Shares all, covered;
};

/// A band up to each bound and one for what is beyond; those without a word of the test are left out. Words outside the
/// vocabulary have no rank and are in none. UsageError for bounds that do not rise.
std::vector<FrequencyBand> by_frequency(const WordTranslation& result, std::span<const std::size_t> bounds);

/// "1000,5000,20000" as bounds; UsageError for anything else.
std::vector<std::size_t> parse_bounds(std::string_view text);

}  // namespace wordbridge
