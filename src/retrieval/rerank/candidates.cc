#include "retrieval/rerank/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <mutex>
#include <optional>
#include <utility>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/csls/csls.h"
#include "retrieval/rerank/backward_lists.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

/// Searches that a query costs where nothing is known of its candidates: CSLS's own, and one for each candidate that is
/// none of another query's. (1,500 words of English with 50,000 words of Spanish: 15 each; statistics of all words take
/// 1.3 times as long as a search for each target.)
constexpr std::size_t kSearchesOfQuery = 25;
constexpr std::size_t kListsOfTask = 16;

/// The words of a space that were ranked last.
struct RankedWords {
  std::mutex mutex;
  std::vector<WordId> words;
  Candidates best;
};

std::shared_ptr<RankedWords> ranked_words_of(const CommonSpace& space, const CandidateOptions& options) {
  return space.state().shared<RankedWords>(
      fmt::format("candidates by csls, k {}, {} each", options.neighbors, options.by_csls),
      [] { return std::make_shared<RankedWords>(); });
}

}  // namespace

CandidateFinder::CandidateFinder(CommonSpace space, std::shared_ptr<const SpellingResources> spelling,
                                 const CandidateOptions& options)
    : space_(std::move(space)),
      spelling_(std::move(spelling)),
      options_(options),
      statistics_(&space_.state().csls(options.neighbors)) {}

void CandidateFinder::prepare(std::size_t queries) const {
  CslsStatistics::Partial(*statistics_, Side::target).means().keep_nearest();
  if (queries * kSearchesOfQuery > space_.size(Side::target)) statistics_->learn_both();
}

Candidates CandidateFinder::by_csls(std::span<const AskingWord> words, ConstMatrixView vectors,
                                    std::size_t count) const {
  // Without the statistics of all words, which prepare() learns where they are worth it.
  const auto statistics =
      statistics_->complete(Side::target) ? CslsOptions::Statistics::full : CslsOptions::Statistics::lazy;
  return Csls(space_, {.neighbors = options_.neighbors, .statistics = statistics}, Side::source)
      .best_for(words, vectors, count);
}

Candidates CandidateFinder::by_csls(std::span<const WordId> words) const {
  prepare(words.size());
  std::vector<AskingWord> asking;
  for (const WordId word : words) asking.push_back({space_.vocabulary(Side::source)[word], word});
  Candidates best = by_csls(asking, space_.state().rows(Side::source).gather(words), options_.by_csls);
  const auto ranked = ranked_words_of(space_, options_);
  const std::lock_guard lock(ranked->mutex);
  ranked->words.assign(words.begin(), words.end());
  ranked->best = best;
  return best;
}

std::vector<WordCandidates> CandidateFinder::find(std::span<const AskingWord> words, ConstMatrixView vectors) const {
  prepare(words.size());
  const auto is_same = [](const AskingWord& word, WordId id) { return word.id == id; };
  const auto ranked = ranked_words_of(space_, options_);
  std::optional<Candidates> known;
  {
    const std::lock_guard lock(ranked->mutex);
    if (!words.empty() && std::ranges::equal(words, ranked->words, is_same)) known = ranked->best;
  }
  return complete(words, vectors, known ? *known : by_csls(words, vectors, options_.by_csls));
}

/// The nearest words by n-grams, and the equal string, where they are no candidates yet.
void CandidateFinder::add_by_spelling(WordCandidates& list, NgramIndex::Search& search) const {
  const UnitRows& targets = space_.state().rows(Side::target);
  const auto add = [&](WordId target) {
    if (!targets.is_zero(target) && std::ranges::find(list.targets, target) == list.targets.end())
      list.targets.push_back(target);
  };
  list.letters =
      list.word.id ? std::u32string(spelling_->asking_words[*list.word.id]) : normalized_spelling(list.word.spelling);
  list.profile = spelling_->ngrams.profile(list.letters);
  for (const auto& near : search.nearest(list.profile, options_.by_ngrams, options_.least_ngram_cosine)) add(near.id);
  if (const auto equal = space_.vocabulary(Side::target).find(list.word.spelling)) add(*equal);
}

void CandidateFinder::set_query_means(std::span<WordCandidates> lists, ConstMatrixView vectors) const {
  if (statistics_->complete(Side::source) &&
      std::ranges::all_of(lists, [](const WordCandidates& list) { return list.word.id.has_value(); })) {
    const std::span<const double> means = statistics_->of_all(Side::source);
    for (WordCandidates& list : lists) list.mean = means[*list.word.id];
    return;
  }
  const Neighbors nearest = space_.state().search(Side::target).search(vectors, options_.neighbors);
  for (std::size_t i = 0; i < lists.size(); ++i) lists[i].mean = mean_score(nearest.scores_of(i));
}

void CandidateFinder::set_scores(WordCandidates& list, const BackwardLists& lists) const {
  const UnitRows& targets = space_.state().rows(Side::target);
  list.near = lists.found();
  for (const WordId target : list.targets) {
    const double cosine = exact_score(list.vector.data(), targets[target].data(), list.vector.size());
    const double mean = lists.mean_of(target);
    list.cosines.push_back(cosine);
    list.means.push_back(mean);
    list.csls.push_back(2 * cosine - (list.mean + mean));
    const auto words = lists.words_of(target);
    const auto cosines = lists.cosines_of(target);
    list.near_words.insert(list.near_words.end(), words.begin(), words.end());
    list.near_cosines.insert(list.near_cosines.end(), cosines.begin(), cosines.end());
  }
}

std::vector<WordCandidates> CandidateFinder::complete(std::span<const AskingWord> words, ConstMatrixView vectors,
                                                      const Candidates& by_csls) const {
  assert(words.size() == vectors.rows() && words.size() == by_csls.queries);
  std::vector<WordCandidates> lists(words.size());
  std::vector<NgramIndex::Search> searches;
  if (spelling_)
    for (int worker = 0; worker < ThreadPool::current().size(); ++worker) searches.emplace_back(spelling_->ngrams);
  ThreadPool::current().for_chunks(lists.size(), kListsOfTask, [&](std::size_t begin, std::size_t end, int worker) {
    for (std::size_t i = begin; i < end; ++i) {
      lists[i].word = words[i];
      lists[i].vector = vectors.row(i);
      const auto targets = by_csls.targets_of(i);
      lists[i].targets.assign(
          targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(std::min(targets.size(), options_.by_csls)));
      if (spelling_) add_by_spelling(lists[i], searches[static_cast<std::size_t>(worker)]);
    }
  });
  set_query_means(lists, vectors);
  std::vector<WordId> targets;
  for (const WordCandidates& list : lists) targets.insert(targets.end(), list.targets.begin(), list.targets.end());
  std::ranges::sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  const BackwardLists backward(*statistics_, std::move(targets));
  ThreadPool::current().for_chunks(lists.size(), kListsOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) set_scores(lists[i], backward);
  });
  return lists;
}

}  // namespace wordbridge
