#include "wordbridge/evaluation/spelling_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "wordbridge/evaluation/table.h"
#include "wordbridge/rerank/spelling.h"

namespace wordbridge {

namespace {

bool has_equal_gold(const WordTranslation::Word& word) { return std::ranges::count(word.gold, word.word) > 0; }

bool has_similar_gold(const WordTranslation::Word& word) {
  constexpr double kSimilar = 0.5;
  const std::u32string letters = normalized_spelling(word.word);
  return std::ranges::any_of(word.gold, [&](const std::string& gold) {
    return edit_similarity(letters, normalized_spelling(gold)) > kSimilar;
  });
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

RerankAnalysis analyze_reranked(const WordTranslation& reranked, const WordTranslation& csls,
                                const BootstrapOptions& options) {
  return {by_spelling(reranked), by_spelling(csls), compare(csls, reranked, options)};
}

Table to_table(const RerankAnalysis& analysis) {
  Table table;
  table.columns = {{"source words of which", Table::Align::left}, {"number"}, {"P@1 by csls"}, {"P@1 re-ranked"}};
  for (std::size_t i = 0; i < analysis.reranked.size(); ++i) {
    const auto &after = analysis.reranked[i].shares, &before = analysis.csls[i].shares;
    table.rows.push_back({analysis.reranked[i].name, std::to_string(after.words),
                          fmt::format("{:.1f}", before.precision[0]), fmt::format("{:.1f}", after.precision[0])});
  }
  return table;
}

std::string to_json(const RerankAnalysis& analysis) {
  nlohmann::ordered_json groups = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < analysis.reranked.size(); ++i)
    groups.push_back({{"group", analysis.reranked[i].key},
                      {"words", analysis.reranked[i].shares.words},
                      {"precision_at_1", rounded(analysis.reranked[i].shares.precision[0])},
                      {"csls_precision_at_1", rounded(analysis.csls[i].shares.precision[0])}});
  return nlohmann::ordered_json({{"groups", std::move(groups)},
                                 {"comparison", nlohmann::ordered_json::parse(to_json(analysis.comparison))}})
      .dump();
}

}  // namespace wordbridge
