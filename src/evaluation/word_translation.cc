#include "wordbridge/word_translation.h"
#include "lexicon/lexicon_reader.h"

#include "linalg/gather.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

/// The entries of the lexicon whose words have a vector.
std::vector<std::size_t> entries_with_vectors(const UnitRows& sources, const GoldLexicon& lexicon) {
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < lexicon.size(); ++i)
    if (const auto& id = lexicon.entries()[i].id; id && !sources.is_zero(*id)) entries.push_back(i);
  return entries;
}

}  // namespace

WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const std::string& lexicon_path, const LexiconOptions& options) {
  return evaluate_word_translation(
      criterion, space,
      read_gold_lexicon(lexicon_path, space.vocabulary(Side::source), space.vocabulary(Side::target), options));
}

WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const GoldLexicon& lexicon, Side asking) {
  WordTranslation result;
  result.criterion = criterion.name();
  result.coverage = lexicon.coverage();
  for (const GoldLexicon::Entry& entry : lexicon.entries())
    result.words.push_back({entry.word, entry.covered(), entry.targets, {}, {}, 0, entry.id});
  const UnitRows& sources = space.state().rows(asking);
  const std::vector<std::size_t> asked = entries_with_vectors(sources, lexicon);
  std::vector<WordId> ids;
  std::vector<AskingWord> words;
  for (const std::size_t entry : asked) {
    ids.push_back(*lexicon.entries()[entry].id);
    words.push_back({space.vocabulary(asking)[ids.back()], ids.back()});
  }
  const Candidates best = criterion.best_for(words, gather_rows(sources.rows(), ids), WordTranslation::kDeepest);
  const Vocabulary& target = space.vocabulary(other(asking));
  for (std::size_t query = 0; query < asked.size(); ++query) {
    WordTranslation::Word& word = result.words[asked[query]];
    const GoldLexicon::Entry& entry = lexicon.entries()[asked[query]];
    const auto targets = best.targets_of(query);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      word.predictions.emplace_back(target[targets[i]]);
      if (word.rank == 0 && entry.accepts(targets[i])) word.rank = i + 1;
    }
    word.scores.assign(best.scores_of(query).begin(), best.scores_of(query).end());
  }
  result.all = shares_of(result.words, lexicon.size());
  result.covered = shares_of(result.words, lexicon.covered());
  return result;
}

WordTranslation::Shares shares_of(std::span<const WordTranslation::Word> words, std::size_t denominator) {
  WordTranslation::Shares shares;
  shares.words = denominator;
  if (denominator == 0) return shares;
  std::array<std::size_t, WordTranslation::kRanks.size()> right = {};
  double reciprocal = 0;
  for (const WordTranslation::Word& word : words) {
    if (word.rank == 0) continue;
    for (std::size_t i = 0; i < right.size(); ++i) right[i] += word.rank <= WordTranslation::kRanks[i];
    reciprocal += 1 / static_cast<double>(word.rank);
  }
  const auto percent = [&](double count) { return 100 * count / static_cast<double>(denominator); };
  for (std::size_t i = 0; i < right.size(); ++i) shares.precision[i] = percent(static_cast<double>(right[i]));
  shares.mrr_at_10 = percent(reciprocal);
  return shares;
}

}  // namespace wordbridge
