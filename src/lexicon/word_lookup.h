#pragma once
#include <optional>
#include <string>
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

/// A word that somebody typed, as vocabularies have it: without blanks and control characters around it, and with
/// letters that are composed (Unicode's NFC) where it is UTF-8.
std::string tidied_word(std::string_view word);

/// The same for words that somebody typed: tidied where they are not found as they are.
std::optional<FoundWord> find_typed_word(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy);

}  // namespace wordbridge
