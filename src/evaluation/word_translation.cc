#include "wordbridge/word_translation.h"

#include <algorithm>
#include <functional>
#include <set>

#include "evaluation/entry_scores.h"
#include "evaluation/sharded_word_translation.h"
#include "lexicon/lexicon_reader.h"
#include "linalg/rows.h"
#include "retrieval/known_translations.h"
#include "retrieval/word_forms.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

/// What an evaluation wants of a space, whoever holds its rows.
struct AskedSpace {
  const Vocabulary& source;
  const Vocabulary& target;
  std::function<Matrix(const std::vector<WordId>& ids)> source_rows;
  /// For entries: the space, and the side that answers.
  const CommonSpace* common = nullptr;
  Side answering = Side::target;
  EntryOptions entries = {};
};

/// The words that ask: the entries of the lexicon that have a vector.
struct AskingEntries {
  std::vector<std::size_t> entries;
  std::vector<AskingWord> words;
  Matrix queries;
};

AskingEntries asking_entries(const AskedSpace& space, const GoldLexicon& lexicon) {
  std::vector<std::size_t> known;
  std::vector<WordId> ids;
  for (std::size_t i = 0; i < lexicon.size(); ++i)
    if (const auto& id = lexicon.entries()[i].id) {
      known.push_back(i);
      ids.push_back(*id);
    }
  const Matrix rows = space.source_rows(ids);
  AskingEntries asking;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (is_zero(rows.row(i))) continue;
    places.push_back(i);
    asking.entries.push_back(known[i]);
    asking.words.push_back({space.source[ids[i]], ids[i]});
  }
  asking.queries = gather_rows(rows, places);
  return asking;
}

std::vector<JudgedWord> judged_words(const GoldLexicon& lexicon, const std::vector<std::size_t>& asked,
                                     const Candidates& best) {
  std::vector<JudgedWord> words;
  for (const GoldLexicon::Entry& entry : lexicon.entries())
    words.push_back({entry.covered() ? entry.target_ids : std::vector<WordId>(), {}, {}});
  for (std::size_t query = 0; query < asked.size(); ++query) {
    JudgedWord& word = words[asked[query]];
    word.candidates.assign(best.targets_of(query).begin(), best.targets_of(query).end());
    word.probabilities.assign(best.p_translation_of(query).begin(), best.p_translation_of(query).end());
  }
  return words;
}

WordTranslation evaluate(const Criterion& criterion, const AskedSpace& space, const GoldLexicon& lexicon) {
  WordTranslation result;
  result.criterion = criterion.name();
  result.coverage = lexicon.coverage();
  for (const GoldLexicon::Entry& entry : lexicon.entries())
    result.words.push_back({entry.word, entry.covered(), entry.targets, {}, {}, 0, entry.id});
  const AskingEntries asking = asking_entries(space, lexicon);
  const bool judges_entries = criterion.name() == "rerank";
  const std::size_t count = judges_entries ? EntryScores::kCandidates : WordTranslation::kDeepest;
  const Candidates best = criterion.best_for(asking.words, asking.queries, count);
  for (std::size_t query = 0; query < asking.entries.size(); ++query) {
    WordTranslation::Word& word = result.words[asking.entries[query]];
    const GoldLexicon::Entry& entry = lexicon.entries()[asking.entries[query]];
    const auto targets = best.targets_of(query).first(std::min(WordTranslation::kDeepest, best.found));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      word.predictions.emplace_back(space.target[targets[i]]);
      if (word.rank == 0 && entry.accepts(targets[i])) word.rank = i + 1;
    }
    const auto places = static_cast<std::ptrdiff_t>(targets.size());
    word.scores.assign(best.scores_of(query).begin(), best.scores_of(query).begin() + places);
    if (best.has_probabilities())
      word.p_translation.assign(best.p_translation_of(query).begin(), best.p_translation_of(query).begin() + places);
  }
  result.all = shares_of(result.words, lexicon.size());
  result.covered = shares_of(result.words, lexicon.covered());
  if (best.has_probabilities() && space.common != nullptr)
    result.entries = evaluate_entries(judged_words(lexicon, asking.entries, best), lexicon.size(),
                                      WordForms::of(*space.common, space.answering).get(),
                                      entry_balance(*space.common, space.entries));
  return result;
}

/// What is known is no test: these words are told.
void count_known(const KnownTranslations& known, const GoldLexicon& lexicon, const AskedSpace& space,
                 LexiconCoverage& coverage) {
  if (known.empty()) return;
  for (const GoldLexicon::Entry& entry : lexicon.entries()) {
    std::set<std::string_view> gold(entry.targets.begin(), entry.targets.end());
    for (const WordId id : entry.target_ids) gold.insert(space.target[id]);
    const auto said = known.of(entry.id ? space.source[*entry.id] : entry.word);
    const auto both = std::ranges::count_if(said, [&](const std::string& word) { return gold.contains(word); });
    coverage.known_pairs += static_cast<std::size_t>(both);
    coverage.known_words += both > 0 ? 1 : 0;
  }
}

}  // namespace

WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const std::string& lexicon_path, const LexiconOptions& options) {
  return evaluate_word_translation(
      criterion, space,
      read_gold_lexicon(lexicon_path, space.vocabulary(Side::source), space.vocabulary(Side::target), options));
}

WordTranslation evaluate_word_translation(const Criterion& criterion, const CommonSpace& space,
                                          const GoldLexicon& lexicon, Side asking, const EntryOptions& entries) {
  const auto rows = [&](const std::vector<WordId>& ids) { return gather_rows(space.table(asking), ids); };
  const AskedSpace asked{
      space.vocabulary(asking), space.vocabulary(other(asking)), rows, &space, other(asking), entries};
  WordTranslation result = evaluate(criterion, asked, lexicon);
  count_known(KnownTranslations(space.lexicon().get(), {}, asking), lexicon, asked, result.coverage);
  return result;
}

WordTranslation evaluate_word_translation(const Criterion& criterion, const ShardedSpace& space,
                                          const GoldLexicon& lexicon) {
  const auto rows = [&](const std::vector<WordId>& ids) { return space.table(Side::source).gather(ids); };
  const AskedSpace asked{space.vocabulary(Side::source), space.vocabulary(Side::target), rows};
  WordTranslation result = evaluate(criterion, asked, lexicon);
  count_known(KnownTranslations(space.lexicon().get(), {}, Side::source), lexicon, asked, result.coverage);
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
