#include "evaluation/spelling_groups.h"

#include <algorithm>

#include "lexicon/spelling.h"

namespace wordbridge {

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
