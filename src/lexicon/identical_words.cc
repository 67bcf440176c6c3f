#include "lexicon/identical_words.h"

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
  return Lexicon(std::move(pairs));
}

bool is_numeral(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
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

}  // namespace wordbridge
