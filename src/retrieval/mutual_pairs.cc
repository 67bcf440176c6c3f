#include "retrieval/mutual_pairs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "linalg/gather.h"
#include "parallel/thread_pool.h"
#include "retrieval/csls/unlisted_bound.h"
#include "retrieval/ranked_targets.h"
#include "search/kernels/kernel_choice.h"
#include "search/make_search.h"
#include "search/rounding.h"
#include "space/neighborhood_means.h"
#include "space/table_search.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();
constexpr WordId kNobody = std::numeric_limits<WordId>::max();
/// Neighbors beyond the k that the means are over: the longer the lists, the fewer words must be searched for.
constexpr std::size_t kSpareNeighbors = 6;
/// With more frequent words than one of so many, the pairs that are left out are too few.
constexpr std::size_t kShare = 2;
/// Frequent words that a word without any in its list is compared with at first.
constexpr std::size_t kNearestFrequent = 8;
/// Roundings in double on either side of a comparison, of cosines and means of about 1 at most.
constexpr double kScoreRounding = 0x1.0p-46;
/// Matches of a range search for all words together: 64 MB.
constexpr std::size_t kMostContenders = std::size_t{1} << 23;

/// A word of the other side and its cosine.
struct Listed {
  WordId id;
  float cosine;
};

std::size_t nonzero_before(const UnitRows& rows, std::size_t end) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < end; ++i) count += !rows.is_zero(static_cast<WordId>(i));
  return count;
}

std::vector<WordId> with_vectors(const UnitRows& rows, std::size_t begin, std::size_t end) {
  std::vector<WordId> words;
  for (std::size_t i = begin; i < end; ++i)
    if (!rows.is_zero(static_cast<WordId>(i))) words.push_back(static_cast<WordId>(i));
  return words;
}

/// Of each word of a side the mean of its k best scores and the k-th of them: exact, or lower bounds.
struct BestScores {
  std::vector<double> mean;
  std::vector<float> kth;
};

/// By the lists, and where rows from `first` on were near others before, by these: the scores with any k rows that are
/// not zero, sorted, are no larger than the k best, and neither is their mean, added in the same order.
BestScores best_scores(const Neighbors& lists, std::size_t k, const UnitRows& rows, const UnitRows& others,
                       std::size_t first, const NearestSources& before) {
  BestScores result;
  for (std::size_t i = 0; i < lists.queries; ++i) {
    result.mean.push_back(mean_score(lists.scores_of(i).first(k)));
    result.kth.push_back(lists.scores_of(i)[k - 1]);
  }
  const auto exact = kernels().score->exact_score;
  ThreadPool::current().for_chunks(rows.size() - first, kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    std::vector<float> scores;
    for (std::size_t i = first + begin; i < first + end; ++i) {
      const std::span<const WordId> nearest = before.of(static_cast<WordId>(i));
      if (nearest.size() < k || std::ranges::any_of(nearest, [&](WordId id) { return others.is_zero(id); })) continue;
      scores.clear();
      for (const WordId id : nearest)
        scores.push_back(exact(rows.rows().row(i).data(), others.rows().row(id).data(), rows.dimension()));
      std::ranges::sort(scores, std::greater<>());
      result.mean[i] = std::max(result.mean[i], mean_score(std::span(scores).first(k)));
      result.kth[i] = std::max(result.kth[i], scores[k - 1]);
    }
  });
  return result;
}

/// One side as it asks: its frequent words look for the best of the other side.
class AskingSide {
 public:
  AskingSide(const UnitRows& asking, const UnitRows& answering, const Neighbors& of_asking,
             const Neighbors& of_answering, const BestScores& a, const BestScores& b, std::size_t words)
      : asking_(asking),
        answering_(answering),
        of_asking_(of_asking),
        of_answering_(of_answering),
        a_(a.mean),
        b_(b.mean),
        kth_(b.kth),
        words_(words) {
    find_listed();
  }

  /// The best frequent word of each frequent one, and its score; kNobody for zero rows.
  struct Best {
    WordId id = kNobody;
    double score = kNothing;

    void offer(double other_score, WordId other) {
      if (other_score > score || (other_score == score && other < id)) *this = {other, other_score};
    }
  };
  std::optional<std::vector<Best>> best_frequent() const;

  /// Of some words with the scores of their best frequent ones: whether a rare word scores more. `learned`: the nearest
  /// words of rare ones whose exact means were needed.
  std::optional<std::vector<bool>> beaten(std::span<const WordId> words, std::span<const double> scores, std::size_t k,
                                          NearestSources& learned) const;

 private:
  /// What may be above the score of a word.
  struct Contender {
    std::size_t place;  // of the word
    WordId id;
    float cosine;
  };

  double score(WordId x, float cosine, double mean) const { return 2.0 * double{cosine} - (a_[x] + mean); }
  std::span<const Listed> listed(WordId x) const {
    return std::span(listed_).subspan(starts_[x], starts_[x + 1] - starts_[x]);
  }
  double last(WordId x) const { return double{of_asking_.scores_of(x).back()}; }

  void find_listed();
  std::optional<std::vector<Contender>> contenders(std::span<const WordId> words, std::span<const double> scores) const;
  void offer_nearest(std::vector<Best>& best, std::span<const std::uint8_t> certain) const;
  std::optional<std::vector<Contender>> search(std::span<const WordId> words, std::span<const std::size_t> places,
                                               std::span<const double> scores, std::size_t begin,
                                               std::size_t end) const;

  const UnitRows &asking_, &answering_;
  const Neighbors &of_asking_, &of_answering_;
  std::span<const double> a_, b_;
  std::span<const float> kth_;  // of the answering words
  std::size_t words_;
  std::vector<std::size_t> starts_;  // of each frequent word's part of:
  std::vector<Listed> listed_;       // those in its list, and those in whose lists it stands
};

void AskingSide::find_listed() {
  const auto visit_all = [&](const auto& visit) {
    for (WordId x = 0; x < words_; ++x)
      for (std::size_t i = 0; i < of_asking_.found && !asking_.is_zero(x); ++i)
        visit(x, Listed{of_asking_.ids_of(x)[i], of_asking_.scores_of(x)[i]});
    for (WordId y = 0; y < answering_.size(); ++y)
      for (std::size_t i = 0; i < of_answering_.found && !answering_.is_zero(y); ++i)
        if (const WordId x = of_answering_.ids_of(y)[i]; x < words_) visit(x, Listed{y, of_answering_.scores_of(y)[i]});
  };
  starts_.assign(words_ + 1, 0);
  visit_all([&](WordId x, const Listed&) { ++starts_[x + 1]; });
  for (std::size_t x = 0; x < words_; ++x) starts_[x + 1] += starts_[x];
  listed_.resize(starts_.back());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  visit_all([&](WordId x, const Listed& other) { listed_[next[x]++] = other; });
}

/// The words [begin, end) of the other side that may score as much with words[places[i]] as scores[places[i]]: by
/// cos(x, y) >= (s + a(x)) / 2 + b(y) / 2, but for rounding. Nothing where they are too many.
std::optional<std::vector<AskingSide::Contender>> AskingSide::search(std::span<const WordId> words,
                                                                     std::span<const std::size_t> places,
                                                                     std::span<const double> scores, std::size_t begin,
                                                                     std::size_t end) const {
  std::vector<Contender> result;
  if (places.empty()) return result;
  std::vector<WordId> open;
  std::vector<double> halves;
  for (const std::size_t place : places) {
    open.push_back(words[place]);
    halves.push_back((scores[place] + a_[words[place]] - kScoreRounding) / 2);
  }
  std::vector<float> offsets;
  for (std::size_t y = begin; y < end; ++y) offsets.push_back(float_below(b_[y] / 2));
  const Matrix queries = gather_rows(asking_.rows(), open);
  const ConstMatrixView table = answering_.rows().slice(begin, end);
  const auto found = make_search(table, open.size())->range_search(queries, halves, offsets, kMostContenders);
  if (!found) return std::nullopt;
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const ScoredRow& row : found->of(i))
      result.push_back({places[i], static_cast<WordId>(begin + row.id),
                        kernels().score->exact_score(queries.row(i).data(), table.row(row.id).data(), table.cols())});
  return result;
}

/// Lists may be full of rare words: those that tell too little get the nearest frequent words besides, so that their
/// best score is not far below what it will be.
void AskingSide::offer_nearest(std::vector<Best>& best, std::span<const std::uint8_t> certain) const {
  std::vector<WordId> open;
  for (std::size_t x = 0; x < words_; ++x)
    if (!certain[x]) open.push_back(static_cast<WordId>(x));
  const Matrix queries = gather_rows(asking_.rows(), open);
  const ConstMatrixView frequent = answering_.rows().slice(0, std::min(words_, answering_.size()));
  const Neighbors nearest = make_search(frequent, open.size())->search(queries, kNearestFrequent);
  for (std::size_t i = 0; i < open.size(); ++i)
    for (std::size_t n = 0; n < nearest.found; ++n) {
      const WordId y = nearest.ids_of(i)[n];
      best[open[i]].offer(score(open[i], nearest.scores_of(i)[n], b_[y]), y);
    }
}

std::optional<std::vector<AskingSide::Best>> AskingSide::best_frequent() const {
  const std::size_t others = std::min(words_, answering_.size());
  const UnlistedBound most_unlisted(with_vectors(answering_, 0, others), of_answering_, b_);
  std::vector<Best> best(words_);
  std::vector<std::uint8_t> certain(words_);
  ThreadPool::current().for_chunks(words_, kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto x = static_cast<WordId>(i);
      certain[i] = asking_.is_zero(x);
      if (certain[i]) continue;
      for (const Listed& other : listed(x))
        if (other.id < others) best[i].offer(score(x, other.cosine, b_[other.id]), other.id);
      certain[i] = best[i].score > most_unlisted(last(x)) - a_[x] + kScoreRounding;
    }
  });
  offer_nearest(best, certain);
  std::vector<WordId> words(words_);
  std::iota(words.begin(), words.end(), WordId{0});
  std::vector<std::size_t> open;
  std::vector<double> scores;
  for (std::size_t i = 0; i < words_; ++i) {
    scores.push_back(best[i].score);
    if (!certain[i]) open.push_back(i);
  }
  const auto found = search(words, open, scores, 0, others);
  if (!found) return std::nullopt;
  for (const Contender& other : *found)
    best[other.place].offer(score(words[other.place], other.cosine, b_[other.id]), other.id);
  return best;
}

/// The rare words that may score more than scores[i] with words[i]: by word, the best upper bounds first.
std::optional<std::vector<AskingSide::Contender>> AskingSide::contenders(std::span<const WordId> words,
                                                                         std::span<const double> scores) const {
  const std::size_t size = answering_.size(), first = std::min(words_, size);
  const UnlistedBound most_unlisted(with_vectors(answering_, first, size), of_answering_, b_);
  std::vector<std::size_t> open;
  std::vector<Contender> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (scores[i] < most_unlisted(last(words[i])) - a_[words[i]] + kScoreRounding) {
      open.push_back(i);  // a search finds those of the lists, too
      continue;
    }
    for (const Listed& other : listed(words[i]))
      if (other.id >= first) result.push_back({i, other.id, other.cosine});
  }
  const auto found = search(words, open, scores, first, size);
  if (!found) return std::nullopt;
  result.insert(result.end(), found->begin(), found->end());
  const auto bound = [&](const Contender& other) { return score(words[other.place], other.cosine, b_[other.id]); };
  std::erase_if(result, [&](const Contender& other) { return bound(other) <= scores[other.place]; });
  std::ranges::sort(result, {},
                    [&](const Contender& other) { return std::tuple(other.place, -bound(other), other.id); });
  return result;
}

std::optional<std::vector<bool>> AskingSide::beaten(std::span<const WordId> words, std::span<const double> scores,
                                                    std::size_t k, NearestSources& learned) const {
  auto open = contenders(words, scores);
  if (!open) return std::nullopt;
  const TableSearch sources(asking_.rows(), open->size());
  NeighborhoodMeans means(answering_.rows(), sources, k);
  std::vector<bool> result(words.size());
  // The first few of a word beat it more often than the others, which then need no exact mean.
  for (std::size_t portion = 1; !open->empty(); portion *= 4) {
    std::vector<WordId> rare;
    for (std::size_t i = 0, taken = 0; i < open->size(); ++i) {
      taken = i > 0 && (*open)[i].place == (*open)[i - 1].place ? taken + 1 : 0;
      if (taken < portion) rare.push_back((*open)[i].id);
    }
    means.learn(std::move(rare), kth_,
                [&](WordId id, std::span<const std::uint32_t> nearest) { learned.add(id, nearest); });
    for (const Contender& other : *open)
      if (means.known(other.id) && score(words[other.place], other.cosine, means[other.id]) > scores[other.place])
        result[other.place] = true;
    std::erase_if(*open, [&](const Contender& other) { return result[other.place] || means.known(other.id); });
  }
  return result;
}

}  // namespace

bool MutualPairs::suits(const UnitRows& source, const UnitRows& target) const {
  return int8_filter_is_fast() && words_ > 0 && k_ > 0 && kShare * words_ <= std::min(source.size(), target.size()) &&
         std::min(nonzero_before(source, words_), nonzero_before(target, words_)) >= k_ + kSpareNeighbors;
}

std::optional<std::vector<Lexicon::Pair>> MutualPairs::find(const UnitRows& source, const UnitRows& target) {
  Stage stage("CSLS statistics");
  stage.update(0, target.size());
  if (!nearest_ || nearest_->of_source.queries != source.size() || nearest_->of_target.queries != target.size()) {
    nearest_.reset();
    rare_sources_ = NearestSources(source.size());
    rare_targets_ = NearestSources(target.size());
  }
  nearest_ = two_sided_search(source.rows(), target.rows(), k_ + kSpareNeighbors, kernels(),
                              nearest_ ? &*nearest_ : nullptr, words_);
  const BestScores a = best_scores(nearest_->of_source, k_, source, target, words_, rare_sources_);
  const BestScores b = best_scores(nearest_->of_target, k_, target, source, words_, rare_targets_);
  const AskingSide forward(source, target, nearest_->of_source, nearest_->of_target, a, b, words_);
  const AskingSide backward(target, source, nearest_->of_target, nearest_->of_source, b, a, words_);
  const auto best = forward.best_frequent(), best_back = backward.best_frequent();
  if (!best || !best_back) return std::nullopt;
  std::vector<WordId> sources, targets;
  std::vector<double> scores;
  for (WordId x = 0; x < words_; ++x) {
    const WordId y = (*best)[x].id;
    if (y == kNobody || (*best_back)[y].id != x) continue;
    sources.push_back(x);
    targets.push_back(y);
    scores.push_back((*best)[x].score);
  }
  const auto lost = forward.beaten(sources, scores, k_, rare_targets_);
  const auto lost_back = backward.beaten(targets, scores, k_, rare_sources_);
  if (!lost || !lost_back) return std::nullopt;
  std::vector<Lexicon::Pair> pairs;
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (!(*lost)[i] && !(*lost_back)[i]) pairs.push_back({sources[i], targets[i]});
  return pairs;
}

}  // namespace wordbridge
