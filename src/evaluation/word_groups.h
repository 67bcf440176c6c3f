#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/statistics.h"
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

/// The source words of a test by how much spelling could help to translate them.
struct SpellingGroup {
  std::string name;                // for people
  std::string key;                 // in JSON
  WordTranslation::Shares shares;  // over all words of the group, covered or not
};

/// Words with a gold translation that is the same string; all others; of these, words with one whose normalized
/// spelling is more than half the same (edit similarity above 0.5), and words without.
std::vector<SpellingGroup> by_spelling(const WordTranslation& result);

/// How a re-ranker does where, beside CSLS in the same mapping.
struct RerankAnalysis {
  std::vector<SpellingGroup> reranked, csls;
  PairedBootstrap comparison;  // CSLS first

  /// It has more words right than CSLS, but none more of those whose translations are not written alike.
  bool gains_by_spelling_alone() const;
};
/// Both over the same words; UsageError otherwise.
RerankAnalysis analyze_reranked(const WordTranslation& reranked, const WordTranslation& csls,
                                const BootstrapOptions& options = {});

}  // namespace wordbridge
