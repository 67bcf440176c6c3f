#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/lexicon.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// "exact", "lower" or "title"; UsageError for anything else.
CasePolicy parse_case_policy(std::string_view name);

struct FoundWord {
  WordId id;
  bool other_case = false;  // found, but not as it is written
  bool joined = false;      // a phrase whose words the vocabulary joins in another way
};

std::optional<FoundWord> find_word(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy);

/// The words of a phrase: those between blanks, `_` and `-`. A single word is the only one; "-", "_" and the like are
/// words.
std::vector<std::string> phrase_words(std::string_view text);
/// Whether people would call it a phrase: words with blanks or `_` between them. What `-` joins may be one word.
bool is_phrase(std::string_view text);

/// A word, or a phrase however its words are joined: as it is written, then by `_`, `-` or a blank (new_york).
std::optional<FoundWord> find_phrase(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy);

/// A word that somebody typed, as vocabularies have it: without blanks and control characters around it, and with
/// letters that are composed (Unicode's NFC) where it is UTF-8.
std::string tidied_word(std::string_view word);

/// A word or a phrase that somebody typed: tidied where it is not found as it is.
std::optional<FoundWord> find_typed_word(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy);

}  // namespace wordbridge
