#include "cli/report/mapping_findings.h"

#include <algorithm>
#include <utility>

#include "cli/report/word_map.h"
#include "wordbridge/hubness.h"

namespace wordbridge::cli {

namespace {

/// The most frequent words that are translated right, with their translations.
std::vector<Lexicon::Pair> right_pairs(const CommonSpace& space, const WordTranslation& result) {
  constexpr std::size_t kMost = 60;  // not all of them find room
  std::vector<Lexicon::Pair> pairs;
  for (const WordTranslation::Word& word : result.words)
    if (word.rank == 1 && word.id && word.predictions.front() != word.word)
      if (const auto target = space.vocabulary(Side::target).find(word.predictions.front()))
        pairs.push_back({*word.id, *target});
  std::ranges::sort(pairs, {}, &Lexicon::Pair::source);
  pairs.resize(std::min(pairs.size(), kMost));
  return pairs;
}

/// Where bands of frequency end: the last with the vocabulary.
std::vector<std::size_t> band_ends(std::size_t words) {
  std::vector<std::size_t> ends;
  for (std::size_t power = 100; power < words; power *= 10)
    for (const std::size_t end : {power, 2 * power, 5 * power})
      if (end < words) ends.push_back(end);
  ends.push_back(std::max<std::size_t>(words, 1));
  return ends;
}

}  // namespace

void MappingFindings::measure(const CommonSpace& space, const GoldLexicon& gold, const Criterion& criterion) {
  WordTranslation result = evaluate_word_translation(criterion, space, gold);
  std::vector<FrequencyBand> bands = by_frequency(result, band_ends(space.size(Side::source)));
  translations.push_back({std::move(result), std::move(bands)});
}

void MappingFindings::conclude(const CommonSpace& space, std::uint64_t seed) {
  word_map = word_map_svg(space, right_pairs(space, best()));
  if (best().criterion != "rerank" || translations.size() < 2) return;
  rerank = analyze_reranked(best(), translations[translations.size() - 2].result, {.seed = seed});
  reliability = evaluate_reliability(best());
}

void MappingFindings::measure_hubness(const CommonSpace& space, std::size_t queries) {
  for (const char* name : {"nn", "csls"}) {
    const auto criterion = make_criterion(name, space);
    hubness.push_back(
        record_of(evaluate_hubness(*criterion, space, {.max_words = queries}), space.vocabulary(Side::target)));
  }
}

}  // namespace wordbridge::cli
