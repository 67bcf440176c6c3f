#include "wordbridge/evaluation/word_translation.h"

#include <algorithm>

namespace wordbridge {

namespace {

/// The vectors of the source words that have one, and whose they are.
struct Queries {
  Matrix rows;
  std::vector<std::size_t> entries;
};

Queries gather_queries(ConstMatrixView sources, const GoldLexicon& lexicon) {
  Queries queries;
  queries.rows = Matrix::uninitialized(lexicon.size(), sources.cols());
  for (std::size_t i = 0; i < lexicon.size(); ++i) {
    const auto& id = lexicon.entries()[i].id;
    if (!id || is_zero(sources.row(*id))) continue;
    std::copy_n(sources.row(*id).data(), sources.cols(), queries.rows.row(queries.entries.size()).data());
    queries.entries.push_back(i);
  }
  queries.rows.truncate_rows(queries.entries.size());
  return queries;
}

}  // namespace

WordTranslation evaluate_word_translation(Criterion& criterion, ConstMatrixView sources, const Vocabulary& target,
                                          const GoldLexicon& lexicon) {
  WordTranslation result;
  result.criterion = criterion.name();
  result.coverage = lexicon.coverage();
  for (const GoldLexicon::Entry& entry : lexicon.entries())
    result.words.push_back({entry.word, entry.covered(), entry.targets, {}, {}, 0, entry.id});
  const Queries queries = gather_queries(sources, lexicon);
  const Candidates best = criterion.best(queries.rows, WordTranslation::kDeepest);
  for (std::size_t query = 0; query < queries.entries.size(); ++query) {
    WordTranslation::Word& word = result.words[queries.entries[query]];
    const GoldLexicon::Entry& entry = lexicon.entries()[queries.entries[query]];
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
