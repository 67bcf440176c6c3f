#include "lexicon/identical_words.h"

#include <utf8proc.h>

#include <algorithm>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

template <class Accept>
Lexicon pair_equal_words(const Vocabulary& source, const Vocabulary& target, const IdenticalWordsOptions& options,
                         const Accept& accept) {
  const auto limit = [&](const Vocabulary& vocabulary) {
    return options.max_rank == 0 ? vocabulary.size() : std::min(options.max_rank, vocabulary.size());
  };
  std::vector<Lexicon::Pair> pairs;
  for (std::size_t id = 0; id < limit(source); ++id) {
    if (!accept(source[id])) continue;
    const std::optional<WordId> match = target.find(source[id]);
    if (match && *match < limit(target)) pairs.push_back({static_cast<WordId>(id), *match});
  }
  Lexicon lexicon(std::move(pairs));
  lexicon.set_guess(true);
  return lexicon;
}

bool is_numeral(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// How many letters a word has; 0 where it holds anything else, marks on letters aside.
std::size_t letters_of(std::string_view word) {
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(word.data());
  auto left = static_cast<utf8proc_ssize_t>(word.size());
  std::size_t letters = 0;
  while (left > 0) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(at, left, &character);
    if (bytes <= 0) return 0;
    const utf8proc_category_t category = utf8proc_category(character);
    const bool mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO)
      ++letters;
    else if (!mark || letters == 0)
      return 0;
    at += bytes;
    left -= bytes;
  }
  return letters;
}

}  // namespace

Lexicon identical_words(const Vocabulary& source, const Vocabulary& target, const IdenticalWordsOptions& options) {
  Lexicon lexicon = pair_equal_words(source, target, options, [](std::string_view) { return true; });
  if (lexicon.empty()) throw UsageError("the two vocabularies share no word: a lexicon of identical words is empty");
  return lexicon;
}

Lexicon identical_numerals(const Vocabulary& source, const Vocabulary& target, const IdenticalWordsOptions& options) {
  Lexicon lexicon = pair_equal_words(source, target, options, is_numeral);
  if (lexicon.empty()) throw UsageError("the two vocabularies share no numeral: a lexicon of numerals is empty");
  return lexicon;
}

Lexicon identical_letter_words(const Vocabulary& source, const Vocabulary& target, std::size_t max_rank,
                               std::size_t min_letters) {
  return pair_equal_words(source, target, {.max_rank = max_rank}, [&](std::string_view word) {
    return letters_of(word) >= std::max<std::size_t>(min_letters, 1);
  });
}

}  // namespace wordbridge
