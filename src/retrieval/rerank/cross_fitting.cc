#include "retrieval/rerank/cross_fitting.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/rerank/candidates.h"
#include "retrieval/rerank/known_pairs.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The columns of `words` with these names.
void keep_columns(CrossFittedWords& held_out, const std::vector<std::string>& names) {
  if (held_out.features == names) return;
  std::vector<std::size_t> columns;
  columns.reserve(names.size());
  for (const std::string& name : names)
    columns.push_back(static_cast<std::size_t>(std::ranges::find(held_out.features, name) - held_out.features.begin()));
  for (CrossFittedWord& word : held_out.words) {
    MatrixD kept = MatrixD::uninitialized(word.features.rows(), columns.size());
    for (std::size_t i = 0; i < kept.rows(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) kept(i, j) = word.features(i, columns[j]);
    word.features = std::move(kept);
  }
  held_out.features = names;
}

std::vector<std::string> common_names(std::span<const CrossFittedWords> folds) {
  std::vector<std::string> names = folds.front().features;
  for (const CrossFittedWords& fold : folds)
    std::erase_if(names, [&](const std::string& name) { return std::ranges::count(fold.features, name) == 0; });
  return names;
}

CrossFittedWords fit_fold(const RerankProblem& problem, const Fold& fold,
                          const std::shared_ptr<const SpellingResources>& spelling, const FeatureChoice& choice) {
  require_no_leak(fold);
  const CommonSpace space = problem.learn(fold.known);
  const LexiconKnowledge knowledge = learn_from_lexicon(fold.known, spelling);
  const FeatureSet features(space, spelling, knowledge, choice);
  const KnownPairs gold(fold.held_out, space.size(Side::target));
  const UnitRows& sources = space.state().rows(Side::source);
  std::vector<AskingWord> words;
  std::vector<WordId> ids;
  std::vector<std::size_t> places;  // among the gold words
  for (std::size_t place = 0; place < gold.words().size(); ++place) {
    const WordId word = gold.words()[place];
    if (sources.is_zero(word)) continue;
    words.push_back({space.vocabulary(Side::source)[word], word});
    ids.push_back(word);
    places.push_back(place);
  }
  const Matrix vectors = gather_rows(sources.rows(), ids);
  auto candidates = CandidateFinder(space, spelling).find(words, vectors);
  features.prepare(candidates);
  CrossFittedWords result{features.names(), std::vector<CrossFittedWord>(words.size())};
  ThreadPool::current().for_chunks(words.size(), 16, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      CrossFittedWord& word = result.words[i];
      word.word = ids[i];
      word.group = i % kGroups;
      word.features = features.compute(candidates[i]);
      word.known = gold.targets_of(places[i]).size();
      word.targets = candidates[i].targets;
      const Matrix vectors_of_targets = gather_rows(space.table(Side::target), word.targets);
      word.cosines = multiply_abt(vectors_of_targets, vectors_of_targets);
      for (const WordId target : candidates[i].targets)
        word.right.push_back(std::ranges::binary_search(gold.targets_of(places[i]), target) ? 1 : 0);
    }
  });
  return result;
}

}  // namespace

std::vector<Fold> make_folds(const Lexicon& lexicon, const FoldOptions& options) {
  std::vector<WordId> words = lexicon.source_words();  // frequent words have small ids
  if (words.size() < 2) return {};
  const bool large = words.size() >= options.large_lexicon;
  const auto share = static_cast<std::size_t>(options.share_of_large * static_cast<double>(words.size()));
  if (large) words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2));
  Random random(options.seed);
  random.shuffle(words);
  if (large) words.resize(std::clamp<std::size_t>(share, 1, words.size()));
  const std::size_t folds = large ? 1 : std::min(options.folds, words.size());
  std::vector<Fold> result;
  for (std::size_t number = 0; number < folds; ++number) {
    std::vector<WordId> own;
    for (std::size_t i = number; i < words.size(); i += folds) own.push_back(words[i]);
    std::ranges::sort(own);
    std::vector<Lexicon::Pair> known, held_out;
    for (const Lexicon::Pair& pair : lexicon.pairs())
      (std::ranges::binary_search(own, pair.source) ? held_out : known).push_back(pair);
    result.push_back({Lexicon(std::move(known)), Lexicon(std::move(held_out))});
  }
  return result;
}

void require_no_leak(const Fold& fold) {
  const std::vector<WordId> known = fold.known.source_words();
  for (const WordId word : fold.held_out.source_words())
    if (std::ranges::binary_search(known, word))
      throw UsageError(fmt::format("word {} is held out and known at once: its features would know the answer", word));
}

CrossFittedWords cross_fit(const RerankProblem& problem, std::span<const Fold> folds,
                           const std::shared_ptr<const SpellingResources>& spelling, const FeatureChoice& choice) {
  std::vector<CrossFittedWords> parts;
  Stage stage("cross-fitting");
  for (const Fold& fold : folds) {
    stage.update(parts.size(), folds.size());
    parts.push_back(fit_fold(problem, fold, spelling, choice));
  }
  CrossFittedWords all;
  all.spelling = spelling;
  if (parts.empty()) return all;
  all.features = common_names(parts);
  for (CrossFittedWords& part : parts) {
    keep_columns(part, all.features);
    std::ranges::move(part.words, std::back_inserter(all.words));
  }
  return all;
}

}  // namespace wordbridge
