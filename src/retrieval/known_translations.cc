#include "retrieval/known_translations.h"

#include <algorithm>

#include "lexicon/word_lookup.h"

namespace wordbridge {

StoredLexicon words_of(const Lexicon& lexicon, const Vocabulary& source, const Vocabulary& target) {
  StoredLexicon words;
  for (const Lexicon::Pair& pair : lexicon.pairs())
    if (pair.weight > 0)
      words.pairs.push_back({std::string(source[pair.source]), std::string(target[pair.target]), pair.weight});
  for (const Lexicon::WrittenPair& pair : lexicon.outside())
    if (pair.weight > 0) words.pairs.push_back({pair.source, pair.target, pair.weight});
  return words;
}

KnownTranslations::KnownTranslations(const StoredLexicon* stored, std::span<const Lexicon::WrittenPair> more,
                                     Side asking) {
  const auto add_all = [&](const auto& pairs) {
    for (const auto& pair : pairs)
      asking == Side::source ? add(pair.source, pair.target) : add(pair.target, pair.source);
  };
  if (stored != nullptr) add_all(stored->pairs);
  add_all(more);
}

void KnownTranslations::add(const std::string& word, const std::string& translation) {
  if (words_.add(word)) translations_.emplace_back();
  std::vector<std::string>& own = translations_[*words_.find(word)];
  if (std::ranges::find(own, translation) != own.end()) return;
  own.push_back(translation);
  ++pairs_;
}

std::span<const std::string> KnownTranslations::of(std::string_view word, CasePolicy policy) const {
  const auto found = find_typed_word(words_, word, policy);
  return found ? std::span<const std::string>(translations_[found->id]) : std::span<const std::string>();
}

bool KnownTranslations::has(std::string_view word, std::string_view translation) const {
  return std::ranges::find(of(word), translation) != of(word).end();
}

}  // namespace wordbridge
