#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "retrieval/rerank/reranked.h"
#include "wordbridge/translate.h"

namespace wordbridge::cli {

/// Why candidates stand where they do: for each, the weightiest reasons.
using Explanations = std::vector<Reranked::Explained>;

/// Asks the re-ranker why it ranked the candidates of a word so; nothing without one.
Explanations explain(const Translator& translator, const Translations& translations);

/// That of a candidate; nullptr where there is none.
const Reranked::Explained* explanation_of(const Translations::Candidate& candidate, const Explanations& explanations);

/// "csls +1.20, edit +0.35, log rank -0.50": what spoke for a candidate and against it, compared with its best rival.
/// Products count with their first factor.
std::string reasons_text(const Reranked::Explained& explained);

/// A word and what was found for it, as `--json` shows it; `what` is found: "translation", "neighbor". `explanations`:
/// of the first candidates; may be empty.
Json translations_json(const Translations& translations, const Explanations& explanations, std::string_view what);

}  // namespace wordbridge::cli
