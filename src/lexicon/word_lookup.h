#pragma once
#include <optional>
#include <string_view>

#include "vectors/vocabulary.h"

namespace wordbridge {

/// What to try, in this order, when a word is looked up in a vocabulary. Each policy includes the ones before it.
enum class CasePolicy {
  exact,  // the word as it is written
  lower,  // then in lower case
  title,  // then with a capital first letter and the rest in lower case
};

/// "exact", "lower" or "title"; UsageError for anything else.
CasePolicy parse_case_policy(std::string_view name);

struct FoundWord {
  WordId id;
  bool other_case = false;  // found, but not as it is written
};

std::optional<FoundWord> find_word(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy);

}  // namespace wordbridge
