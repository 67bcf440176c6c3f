#include "evaluation/reliability.h"

#include <algorithm>
#include <cmath>

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

Reliability evaluate_reliability(const WordTranslation& result) {
  constexpr std::size_t kBins = 10;
  Reliability reliability;
  reliability.bins.resize(kBins);
  for (const WordTranslation::Word& word : result.words) {
    if (!word.covered || word.scores.empty()) continue;
    const double probability = std::clamp(word.scores.front(), 0.0, 1.0);
    Reliability::Bin& bin = reliability.bins[std::min(static_cast<std::size_t>(probability * kBins), kBins - 1)];
    ++bin.words;
    bin.probability += 100 * probability;
    bin.right += word.rank == 1 ? 100 : 0;
    ++reliability.words;
  }
  for (Reliability::Bin& bin : reliability.bins) {
    if (bin.words == 0) continue;
    const double words = static_cast<double>(bin.words);
    bin.probability /= words;
    bin.right /= words;
    reliability.error += words / static_cast<double>(reliability.words) * std::abs(bin.right - bin.probability);
  }
  return reliability;
}

}  // namespace wordbridge
