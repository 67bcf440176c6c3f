#include "align/held_out_translations.h"

#include <algorithm>

#include "linalg/rows.h"
#include "retrieval/csls/csls.h"
#include "wordbridge/error.h"

namespace wordbridge {

HeldOutTranslations::HeldOutTranslations(const Lexicon& lexicon) : words_(lexicon.source_words()) {
  if (words_.empty()) throw UsageError("none of the validation words is in the vocabularies");
  translations_.resize(words_.size());
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    const auto found = std::lower_bound(words_.begin(), words_.end(), pair.source);
    translations_[static_cast<std::size_t>(found - words_.begin())].push_back(pair.target);
  }
  for (auto& targets : translations_) std::sort(targets.begin(), targets.end());
}

std::vector<std::uint8_t> HeldOutTranslations::translated_right(const CommonSpace& space, std::size_t k) const {
  return translated_right(Csls(space, {.neighbors = k}).best(gather_rows(space.table(Side::source), words_), 1));
}

std::vector<std::uint8_t> HeldOutTranslations::translated_right(const Candidates& best) const {
  std::vector<std::uint8_t> right(words_.size());
  if (best.found == 0) return right;
  for (std::size_t i = 0; i < words_.size(); ++i)
    right[i] = std::binary_search(translations_[i].begin(), translations_[i].end(), best.targets_of(i).front());
  return right;
}

}  // namespace wordbridge
