#include "evaluation/confident_translations.h"

#include <algorithm>

namespace wordbridge {

std::vector<ConfidentTranslation> confident_translations(const WordTranslation& result, bool right, std::size_t count) {
  std::vector<const WordTranslation::Word*> words;
  for (const WordTranslation::Word& word : result.words)
    if (word.covered && !word.predictions.empty() && (word.rank == 1) == right) words.push_back(&word);
  std::ranges::stable_sort(words, [](const auto* a, const auto* b) { return a->scores.front() > b->scores.front(); });
  std::vector<ConfidentTranslation> list;
  for (std::size_t i = 0; i < std::min(words.size(), count); ++i)
    list.push_back({words[i]->word, words[i]->predictions.front(), words[i]->scores.front(), words[i]->gold});
  return list;
}

}  // namespace wordbridge
