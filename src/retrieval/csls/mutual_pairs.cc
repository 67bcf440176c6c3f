#include "retrieval/csls/mutual_pairs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/csls/neighbor_list_ranking.h"
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"
#include "search/pruning/cluster_bounds.h"
#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"
#include "space/table_search.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kWordsOfTask = 512;
/// Less than any mean of cosines.
constexpr double kLeastMean = -2;

}  // namespace

SideMeans::SideMeans(const UnitRows& words, const UnitRows& others, const NeighborSearch& search, std::size_t k,
                     NearestSources& near)
    : words_(words),
      near_(near),
      exact_(words.rows(), search, k),
      means_(words.size(), kLeastMean),
      kth_(words.size(), -std::numeric_limits<float>::infinity()) {
  ThreadPool::current().for_chunks(words.size(), kWordsOfTask, [&](std::size_t begin, std::size_t end, int) {
    Context::poll();
    bound(begin, end, others, k);
  });
}

void SideMeans::bound(std::size_t begin, std::size_t end, const UnitRows& others, std::size_t k) {
  std::vector<std::pair<WordId, WordId>> pairs;
  for (std::size_t i = begin; i < end; ++i) {
    const std::span<const WordId> near = near_.of(static_cast<WordId>(i));
    if (near.size() < k || std::ranges::any_of(near, [&](WordId id) { return others.is_zero(id); })) continue;
    for (const WordId id : near.first(k)) pairs.emplace_back(static_cast<WordId>(i), id);
  }
  const std::size_t d = words_.dimension();
  std::vector<float> scores(k);
  const auto row_at = [&](std::size_t i) { return others[pairs[i].second].data(); };
  visit_prefetched(pairs.size(), d, row_at, [&](std::size_t i) {
    const WordId word = pairs[i].first;
    scores[i % k] = kernels().score->exact_score(words_[word].data(), row_at(i), d);
    if ((i + 1) % k != 0) return true;
    std::ranges::sort(scores, std::greater<>());
    means_[word] = mean_score(scores);
    kth_[word] = scores.back();
    return true;
  });
}

double SideMeans::least() const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < means_.size(); ++i)
    if (!words_.is_zero(static_cast<WordId>(i))) least = std::min(least, means_[i]);
  return least;
}

void SideMeans::learn(std::vector<WordId> words) {
  exact_.learn(std::move(words), kth_, [&](WordId word, std::span<const WordId> nearest) {
    near_.add(word, nearest);
    means_[word] = exact_[word];
  });
}

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();
constexpr WordId kNobody = std::numeric_limits<WordId>::max();
/// Nearest frequent words of each frequent one. Longer lists take longer than they save.
constexpr std::size_t kListed = 5;
/// With more frequent words than one of so many, the pairs that are left out are too few.
constexpr std::size_t kShare = 2;
/// Roundings in double on either side of a comparison, of cosines and means of about 1 at most.
constexpr double kScoreRounding = 0x1.0p-46;
/// Matches of a range search for all words together: 64 MB.
constexpr std::size_t kMostRivals = std::size_t{1} << 23;

std::size_t nonzero_before(const UnitRows& rows, std::size_t end) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < end; ++i) count += !rows.is_zero(static_cast<WordId>(i));
  return count;
}

/// A pair of frequent words and its cosine.
struct FrequentPair {
  WordId source, target;
  float cosine;
};

/// The best word of the other side, so far.
struct BestPartner {
  WordId id = kNobody;
  double score = kNothing;

  void offer(double other_score, WordId other) {
    if (other_score > score || (other_score == score && other < id)) *this = {other, other_score};
  }
};

/// Those of all frequent words.
struct BestPartners {
  std::vector<BestPartner> of_source, of_target;
};

/// A word that may score more with one of some words.
struct Rival {
  std::size_t place;  // of that word
  WordId id;
  float cosine;
};

/// The score of a pair but for the mean of the word that asks.
double value(float cosine, double mean) { return 2.0 * double{cosine} - mean; }

/// The rows y of a table, with means of at least means[y], whose value may reach values[i] for words[i]: by
/// cos(x, y) >= (value + mean) / 2, but for rounding. nullopt if they are too many.
std::optional<std::vector<Rival>> find_rivals(const NeighborSearch& search, std::span<const double> means,
                                              const UnitRows& asking, std::span<const WordId> words,
                                              std::span<const double> values) {
  std::vector<Rival> rivals;
  if (words.empty()) return rivals;
  std::vector<double> halves;
  for (const double wanted : values) halves.push_back((wanted - kScoreRounding) / 2);
  std::vector<float> offsets;
  for (const double mean : means) offsets.push_back(float_below(mean / 2));
  const Matrix queries = gather_rows(asking.rows(), words);
  const ConstMatrixView table = search.table();
  const auto found = search.range_search(queries, halves, offsets, kMostRivals);
  if (!found) return std::nullopt;
  const auto exact = kernels().score->exact_score;
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const ScoredRow& row : found->of(i))
      rivals.push_back({i, row.id, exact(queries.row(i).data(), table.row(row.id).data(), table.cols())});
  return rivals;
}

/// The frequent words of a side for which pairs that stand in no list may be best.
std::vector<WordId> uncertain_words(const SideMeans& asking, const Neighbors& of_asking, const SideMeans& answering,
                                    const Neighbors& of_answering, std::span<const BestPartner> best) {
  std::vector<WordId> others, result;
  for (WordId y = 0; y < of_answering.queries; ++y)
    if (!answering.words().is_zero(y)) others.push_back(y);
  const UnlistedBound most_unlisted(std::move(others), of_answering, answering.all());
  for (WordId x = 0; x < of_asking.queries; ++x)
    if (!asking.words().is_zero(x) &&
        best[x].score <= most_unlisted(double{of_asking.scores_of(x).back()}) + kScoreRounding)
      result.push_back(x);
  return result;
}

/// The steps 2 and 3 of the class comment.
class FrequentPairs {
 public:
  FrequentPairs(SideMeans& source, SideMeans& target, const TwoSidedNeighbors& nearest)
      : source_(source), target_(target), nearest_(nearest), words_(nearest.of_source.queries) {}

  /// All pairs that are each other's best among the frequent words, and maybe more, with exact means; by ascending
  /// source word. nullopt if the bounds tell too little.
  std::optional<std::vector<FrequentPair>> mutual() {
    list_nearest();
    learn_probable();
    if (!add_unlisted()) return std::nullopt;
    learn_possible();
    return best_for_both();
  }

 private:
  bool listed(WordId x, WordId y) const {
    const auto of_x = nearest_.of_source.ids_of(x);
    return std::ranges::find(of_x, y) != of_x.end();
  }
  bool listed_back(WordId x, WordId y) const {
    const auto of_y = nearest_.of_target.ids_of(y);
    return std::ranges::find(of_y, x) != of_y.end();
  }
  double value_for_source(const FrequentPair& pair) const { return value(pair.cosine, target_[pair.target]); }
  double value_for_target(const FrequentPair& pair) const { return value(pair.cosine, source_[pair.source]); }

  void list_nearest() {
    const Neighbors &of_source = nearest_.of_source, &of_target = nearest_.of_target;
    for (WordId x = 0; x < words_; ++x)
      for (std::size_t i = 0; i < of_source.found && !source_.words().is_zero(x); ++i)
        pairs_.push_back({x, of_source.ids_of(x)[i], of_source.scores_of(x)[i]});
    for (WordId y = 0; y < words_; ++y)
      for (std::size_t i = 0; i < of_target.found && !target_.words().is_zero(y); ++i)
        if (const WordId x = of_target.ids_of(y)[i]; !listed(x, y)) pairs_.push_back({x, y, of_target.scores_of(y)[i]});
  }

  /// By their values: of exact means alone, or of upper bounds.
  BestPartners best(bool exact) const {
    BestPartners result{std::vector<BestPartner>(words_), std::vector<BestPartner>(words_)};
    for (const FrequentPair& pair : pairs_) {
      if (!exact || target_.known(pair.target))
        result.of_source[pair.source].offer(value_for_source(pair), pair.target);
      if (!exact || source_.known(pair.source))
        result.of_target[pair.target].offer(value_for_target(pair), pair.source);
    }
    return result;
  }

  void learn_probable() {
    const BestPartners probable = best(false);
    std::vector<WordId> sources, targets;
    for (WordId x = 0; x < words_; ++x)
      if (const WordId y = probable.of_source[x].id; y != kNobody && probable.of_target[y].id == x) {
        sources.push_back(x);
        targets.push_back(y);
      }
    source_.learn(std::exchange(sources, {}));
    target_.learn(std::exchange(targets, {}));
    const BestPartners known = best(true);
    for (WordId x = 0; x < words_; ++x) {
      if (const WordId y = probable.of_source[x].id; y != kNobody && known.of_source[x].id == kNobody)
        targets.push_back(y);
      if (const WordId y = probable.of_target[x].id; y != kNobody && known.of_target[x].id == kNobody)
        sources.push_back(y);
    }
    source_.learn(std::move(sources));
    target_.learn(std::move(targets));
  }

  /// A pair beyond the lists matters where it may be best for both of its words.
  bool add_unlisted() {
    const BestPartners known = best(true);
    const auto sources = uncertain_words(source_, nearest_.of_source, target_, nearest_.of_target, known.of_source);
    const auto targets = uncertain_words(target_, nearest_.of_target, source_, nearest_.of_source, known.of_target);
    const Matrix table = gather_rows(target_.words().rows(), targets);
    std::vector<double> means, values;
    for (const WordId y : targets) means.push_back(target_[y]);
    for (const WordId x : sources) values.push_back(known.of_source[x].score);
    const auto found = find_rivals(*make_search(table, sources.size()), means, source_.words(), sources, values);
    if (!found) return false;
    for (const Rival& rival : *found) {
      const FrequentPair pair{sources[rival.place], targets[rival.id], rival.cosine};
      if (value_for_target(pair) >= known.of_target[pair.target].score - kScoreRounding &&
          !listed(pair.source, pair.target) && !listed_back(pair.source, pair.target))
        pairs_.push_back(pair);
    }
    return true;
  }

  /// Until no pair is left that may be best for both of its words and whose means are not exact.
  void learn_possible() {
    for (bool all_known = false; !all_known;) {
      const BestPartners known = best(true);
      std::vector<WordId> sources, targets;
      for (const FrequentPair& pair : pairs_) {
        if (value_for_source(pair) < known.of_source[pair.source].score - kScoreRounding ||
            value_for_target(pair) < known.of_target[pair.target].score - kScoreRounding)
          continue;
        if (!source_.known(pair.source)) sources.push_back(pair.source);
        if (!target_.known(pair.target)) targets.push_back(pair.target);
      }
      all_known = sources.empty() && targets.empty();
      source_.learn(std::move(sources));
      target_.learn(std::move(targets));
    }
  }

  std::vector<FrequentPair> best_for_both() const {
    BestPartners best{std::vector<BestPartner>(words_), std::vector<BestPartner>(words_)};
    std::vector<float> cosines(words_);
    for (const FrequentPair& pair : pairs_)
      if (source_.known(pair.source) && target_.known(pair.target)) {
        const double score = value(pair.cosine, source_[pair.source] + target_[pair.target]);
        best.of_source[pair.source].offer(score, pair.target);
        best.of_target[pair.target].offer(score, pair.source);
        if (best.of_source[pair.source].id == pair.target) cosines[pair.source] = pair.cosine;
      }
    std::vector<FrequentPair> result;
    for (WordId x = 0; x < words_; ++x)
      if (const WordId y = best.of_source[x].id; y != kNobody && best.of_target[y].id == x)
        result.push_back({x, y, cosines[x]});
    return result;
  }

  SideMeans &source_, &target_;
  const TwoSidedNeighbors& nearest_;
  std::size_t words_;
  std::vector<FrequentPair> pairs_;  // each once
};

/// Step 4 for one side: words with their partners and scores, all with exact means, of which some lose to others.
class PartnerCheck {
 public:
  PartnerCheck(const SideMeans& asking, SideMeans& answering, const NeighborSearch& answers)
      : asking_(asking), answering_(answering), answers_(answers) {}

  void add(WordId word, WordId partner, double score) {
    words_.push_back(word);
    partners_.push_back(partner);
    scores_.push_back(score);
  }

  /// Whether another word is better than the partner, for each word. nullopt if too many may be.
  std::optional<std::vector<bool>> beaten() {
    auto open = rivals();
    if (!open) return std::nullopt;
    std::erase_if(*open, [&](const Rival& rival) { return !may_beat(rival); });
    std::ranges::sort(*open, {}, [&](const Rival& rival) { return std::tuple(rival.place, -bound(rival), rival.id); });
    std::vector<bool> result(words_.size());
    // The first few of a word beat its partner more often than the others, which then need no exact mean.
    for (std::size_t portion = 1; !open->empty(); portion *= 4) {
      std::vector<WordId> wanted;
      for (std::size_t i = 0, taken = 0; i < open->size(); ++i) {
        taken = i > 0 && (*open)[i].place == (*open)[i - 1].place ? taken + 1 : 0;
        if (taken < portion) wanted.push_back((*open)[i].id);
      }
      answering_.learn(std::move(wanted));
      for (const Rival& rival : *open)
        if (answering_.known(rival.id) && may_beat(rival)) result[rival.place] = true;
      std::erase_if(*open, [&](const Rival& rival) { return result[rival.place] || !may_beat(rival); });
    }
    return result;
  }

 private:
  /// Of its score, which it is where its mean is exact.
  double bound(const Rival& rival) const {
    return value(rival.cosine, asking_[words_[rival.place]] + answering_[rival.id]);
  }
  bool may_beat(const Rival& rival) const {
    const double most = bound(rival), score = scores_[rival.place];
    return most > score || (most == score && rival.id < partners_[rival.place]);
  }

  /// All words that may beat a partner, and others. No word beyond the k nearest of x is nearer than the last of these,
  /// which is often enough to know that none of them can.
  std::optional<std::vector<Rival>> rivals() const {
    const double least = answering_.least();
    std::vector<std::size_t> open;
    std::vector<WordId> words;
    std::vector<double> values;
    std::vector<Rival> result;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const WordId x = words_[i];
      const std::size_t before = result.size();
      for (const WordId y : asking_.nearest(x)) result.push_back({i, y, cosine(x, y)});
      const double wanted = scores_[i] + asking_[x];
      if (wanted > value(result.back().cosine, least) + kScoreRounding) continue;
      result.resize(before);
      open.push_back(i);
      words.push_back(x);
      values.push_back(wanted);
    }
    const auto found = find_rivals(answers_, answering_.all(), asking_.words(), words, values);
    if (!found) return std::nullopt;
    for (const Rival& rival : *found) result.push_back({open[rival.place], rival.id, rival.cosine});
    return result;
  }

  float cosine(WordId x, WordId y) const {
    return kernels().score->exact_score(asking_.words()[x].data(), answering_.words()[y].data(),
                                        asking_.words().dimension());
  }

  const SideMeans& asking_;
  SideMeans& answering_;
  const NeighborSearch& answers_;
  std::vector<WordId> words_, partners_;
  std::vector<double> scores_;
};

}  // namespace

bool MutualPairs::suits(const UnitRows& source, const UnitRows& target) const {
  return int8_filter_is_fast() && words_ > 0 && k_ > 0 && kShare * words_ <= std::min(source.size(), target.size()) &&
         std::min(nonzero_before(source, words_), nonzero_before(target, words_)) >= k_;
}

/// Words that are near each one, where the last call has left none.
void MutualPairs::look_around(const UnitRows& source, const UnitRows& target) {
  if (sources_ == source.size() && targets_ == target.size()) return;
  frequent_.reset();
  near_sources_ = NearestSources(source.size());
  near_targets_ = NearestSources(target.size());
  const TwoSidedNeighbors near = cluster_neighbors(source.rows(), target.rows(), k_);
  for (WordId x = 0; x < source.size(); ++x) near_sources_.add(x, near.of_source.ids_of(x));
  for (WordId y = 0; y < target.size(); ++y) near_targets_.add(y, near.of_target.ids_of(y));
  sources_ = source.size();
  targets_ = target.size();
}

std::optional<std::vector<Lexicon::Pair>> MutualPairs::find(const UnitRows& source, const UnitRows& target,
                                                            const NeighborSearch& targets) {
  Stage stage("CSLS statistics");
  stage.update(0, target.size());
  look_around(source, target);
  frequent_ = two_sided_search(source.rows().slice(0, words_), target.rows().slice(0, words_), kListed, kernels(),
                               frequent_ ? &*frequent_ : nullptr);
  const TableSearch sources(source.rows(), source.size());
  SideMeans a(source, target, targets, k_, near_sources_), b(target, source, sources, k_, near_targets_);
  const auto pairs = FrequentPairs(a, b, *frequent_).mutual();
  if (!pairs) return std::nullopt;
  PartnerCheck forward(a, b, targets), backward(b, a, sources);
  for (const FrequentPair& pair : *pairs) {
    const double score = value(pair.cosine, a[pair.source] + b[pair.target]);
    forward.add(pair.source, pair.target, score);
    backward.add(pair.target, pair.source, score);
  }
  const auto lost = forward.beaten(), lost_back = backward.beaten();
  if (!lost || !lost_back) return std::nullopt;
  std::vector<Lexicon::Pair> result;
  for (std::size_t i = 0; i < pairs->size(); ++i)
    if (!(*lost)[i] && !(*lost_back)[i]) result.push_back({(*pairs)[i].source, (*pairs)[i].target});
  return result;
}

}  // namespace wordbridge
