#pragma once
#include <optional>
#include <string_view>

#include "wordbridge/lexicon.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// "exact", "lower" or "title"; UsageError for anything else.
CasePolicy parse_case_policy(std::string_view name);

struct FoundWord {
  WordId id;
  bool other_case = false;  // found, but not as it is written
};

std::optional<FoundWord> find_word(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy);

}  // namespace wordbridge
