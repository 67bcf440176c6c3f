#include "cli/explanations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "space/common_space_state.h"

namespace wordbridge::cli {

Explanations explain(const Translator& translator, const Translations& translations) {
  const auto* reranked = dynamic_cast<const Reranked*>(&translator.criterion());
  if (reranked == nullptr || translations.candidates.empty()) return {};
  const CommonSpace& space = translator.space();
  const std::size_t count = translations.candidates.size();
  if (const auto id = space.vocabulary(Side::source).find(translations.word);
      id && translations.origin == Translations::Origin::vocabulary)
    return reranked->explain({translations.word, *id}, space.state().rows(Side::source)[*id], count);
  const auto vector = space.subword_vector(translations.query, Side::source);
  return vector ? reranked->explain({translations.query, std::nullopt}, *vector, count) : Explanations();
}

const Reranked::Explained* explanation_of(const Translations::Candidate& candidate, const Explanations& explanations) {
  const auto found = std::ranges::find(explanations, candidate.id, &Reranked::Explained::target);
  return found == explanations.end() ? nullptr : &*found;
}

std::string reasons_text(const Reranked::Explained& explained) {
  constexpr std::size_t kMostReasons = 6;
  constexpr double kLeast = 0.05;
  std::map<std::string, double> sums;
  for (const auto& reason : explained.reasons)
    sums[reason.feature.substr(0, reason.feature.find(" x "))] += reason.contribution;
  std::vector<std::pair<std::string, double>> sorted(sums.begin(), sums.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& item) { return std::abs(item.second); });
  std::string text;
  for (const auto& [feature, sum] : std::span(sorted).first(std::min(kMostReasons, sorted.size())))
    if (std::abs(sum) >= kLeast) text += fmt::format("{}{} {:+.2f}", text.empty() ? "" : ", ", feature, sum);
  return text;
}

Json translations_json(const Translations& translations, const Explanations& explanations, std::string_view what) {
  using Origin = Translations::Origin;
  Json candidates = Json::array();
  for (const Translations::Candidate& one : translations.candidates) {
    Json candidate = {{"word", one.word}, {"score", nullptr}};
    if (!std::isnan(one.score)) candidate["score"] = one.score;
    if (what == "translation") candidate["known"] = one.known;
    if (one.composed) candidate["composed"] = true;
    if (const auto* explained = explanation_of(one, explanations)) {
      Json& reasons = candidate["reasons"] = Json::array();
      for (const auto& reason : explained->reasons)
        reasons.push_back(
            {{"feature", reason.feature}, {"value", reason.value}, {"contribution", reason.contribution}});
    }
    candidates.push_back(std::move(candidate));
  }
  return {{"query", translations.query},
          {"word", translations.word},
          {"origin", translations.origin == Origin::vocabulary ? "vocabulary"
                     : translations.origin == Origin::subwords ? "subwords"
                     : translations.origin == Origin::phrase   ? "phrase"
                     : translations.origin == Origin::known    ? "known"
                                                               : "unknown"},
          {std::string(what) + "s", std::move(candidates)}};
}

}  // namespace wordbridge::cli
