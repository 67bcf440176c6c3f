#include "lexicon/word_lookup.h"

#include <string>

#include "base/option_text.h"
#include "vectors/letter_case.h"
#include "wordbridge/error.h"

namespace wordbridge {

CasePolicy parse_case_policy(std::string_view name) {
  if (name == "exact") return CasePolicy::exact;
  if (name == "lower") return CasePolicy::lower;
  if (name == "title") return CasePolicy::title;
  throw UsageError("case policy " + none_of(name, {"exact", "lower", "title"}));
}

std::optional<FoundWord> find_word(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy) {
  if (const auto id = vocabulary.find(word)) return FoundWord{*id, false};
  if (policy >= CasePolicy::lower)
    if (const auto id = vocabulary.find(to_lower(word))) return FoundWord{*id, true};
  if (policy >= CasePolicy::title)
    if (const auto id = vocabulary.find(to_title(word))) return FoundWord{*id, true};
  return std::nullopt;
}

}  // namespace wordbridge
