#include "lexicon/word_lookup.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/option_text.h"
#include "vectors/letter_case.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

bool is_blank(utf8proc_int32_t letter) {
  constexpr utf8proc_int32_t kByteOrderMark = 0xFEFF, kZeroWidthSpace = 0x200B;
  const utf8proc_category_t category = utf8proc_category(letter);
  return letter == kByteOrderMark || letter == kZeroWidthSpace || category == UTF8PROC_CATEGORY_CC ||
         category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

/// Where the word without blanks around it begins and ends. A byte that is not UTF-8 is no blank.
std::string_view trimmed(std::string_view word) {
  std::size_t begin = word.size(), end = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(word.data());
  for (std::size_t at = 0; at < word.size();) {
    utf8proc_int32_t letter = -1;
    const utf8proc_ssize_t taken =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(word.size() - at), &letter);
    const std::size_t next = at + (taken > 0 ? static_cast<std::size_t>(taken) : 1);
    if (taken <= 0 || !is_blank(letter)) {
      begin = std::min(begin, at);
      end = next;
    }
    at = next;
  }
  return word.substr(begin, end - std::min(begin, end));
}

}  // namespace

std::string tidied_word(std::string_view word) {
  const std::string_view own = trimmed(word);
  utf8proc_uint8_t* composed = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(own.data()), static_cast<utf8proc_ssize_t>(own.size()),
                   &composed, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  if (size < 0) return std::string(own);  // no UTF-8
  return {reinterpret_cast<const char*>(composed), static_cast<std::size_t>(size)};
}

std::optional<FoundWord> find_typed_word(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy) {
  if (const auto found = find_word(vocabulary, word, policy)) return found;
  return find_phrase(vocabulary, tidied_word(word), policy);
}

std::vector<std::string> phrase_words(std::string_view text) {
  constexpr std::string_view kJoiners = " _-";
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(kJoiners); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kJoiners, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kJoiners, end);
  }
  if (words.size() < 2) words.assign(1, std::string(text));
  return words;
}

bool is_phrase(std::string_view text) {
  return text.find_first_of(" _") != std::string_view::npos && phrase_words(text).size() > 1;
}

std::optional<FoundWord> find_phrase(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy) {
  if (const auto found = find_word(vocabulary, word, policy)) return found;
  const std::vector<std::string> words = phrase_words(word);
  if (words.size() < 2) return std::nullopt;
  for (const char joiner : {'_', '-', ' '}) {
    std::string joined = words.front();
    for (std::size_t i = 1; i < words.size(); ++i) joined += joiner + words[i];
    if (auto found = find_word(vocabulary, joined, policy)) {
      found->joined = true;
      return found;
    }
  }
  return std::nullopt;
}

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
