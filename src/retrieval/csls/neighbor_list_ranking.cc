#include "retrieval/csls/neighbor_list_ranking.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "parallel/thread_pool.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

}  // namespace

UnlistedBound::UnlistedBound(std::vector<WordId> targets, const NeighborLists& lists, std::span<const double> means) {
  if (lists.found == 0) targets.clear();
  const auto last_of = [&](WordId y) { return double{lists.scores_of(y).back()}; };
  std::ranges::sort(targets, {}, last_of);
  below_.assign(targets.size() + 1, -kNoBound);
  from_.assign(targets.size() + 1, kNoBound);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    last_.push_back(last_of(targets[i]));
    below_[i + 1] = std::max(below_[i], 2 * last_[i] - means[targets[i]]);
  }
  for (std::size_t i = targets.size(); i-- > 0;) from_[i] = std::min(from_[i + 1], means[targets[i]]);
}

double UnlistedBound::of_one(double last, std::span<const WordId> targets, const NeighborLists& lists,
                             std::span<const double> means) {
  double most = -kNoBound;
  if (lists.found == 0) return most;
  for (const WordId y : targets)
    most = std::max(most, 2 * std::min(last, double{lists.scores_of(y).back()}) - means[y]);
  return most;
}

double UnlistedBound::operator()(double last) const {
  const auto place = static_cast<std::size_t>(std::ranges::lower_bound(last_, last) - last_.begin());
  return std::max(below_[place], 2 * last - from_[place]);
}

namespace {

/// Cosines are at most a little over 1, so that the few roundings in double on either side of a comparison are less
/// than this.
constexpr double kRounding = 0x1.0p-46;

/// Targets that a range search may find for all words together: 64 MB.
constexpr std::size_t kMostMatches = std::size_t{1} << 23;

/// Words for which a pass over all targets each takes longer than sorting these.
constexpr std::size_t kPassesWorthSorting = 16;

std::vector<WordId> words_with_vectors(const NeighborListRanking::Words& side) {
  std::vector<WordId> words;
  for (WordId y = 0; y < side.rows.rows; ++y)
    if (!side.is_zero(y)) words.push_back(y);
  return words;
}

void put(std::span<const RankedTargets::Entry> entries, std::size_t query, Candidates& result) {
  for (std::size_t rank = 0; rank < entries.size(); ++rank) {
    result.targets[query * result.found + rank] = entries[rank].id;
    result.scores[query * result.found + rank] = entries[rank].score;
  }
}

}  // namespace

NeighborListRanking::Words NeighborListRanking::Words::of(const UnitRows& whole) {
  return {ShardedRows::whole(whole.unread()), [&whole](WordId place) { return whole[place]; },
          [&whole](std::span<const WordId> words) { return whole.gather(words); },
          [&whole](WordId word) { return whole.is_zero(word); }, whole.nonzero()};
}

NeighborListRanking::NeighborListRanking(Words asking, Words answering, const ShardedSearch& search,
                                         CslsStatistics& statistics, const TwoSidedLists& nearest, Side side)
    : asking_(std::move(asking)),
      answering_(std::move(answering)),
      search_(search),
      of_asking_(side == Side::source ? nearest.of_source : nearest.of_target),
      of_answering_(side == Side::source ? nearest.of_target : nearest.of_source),
      a_(statistics.of_all(side)),
      b_(statistics.of_all(side == Side::source ? Side::target : Side::source)),
      targets_(words_with_vectors(answering_)) {
  // A list that is shorter than asked for holds every word with a vector.
  all_listed_ = of_asking_.found == answering_.nonzero || of_answering_.found == asking_.nonzero;
}

/// The targets in whose lists each of the words stands: those of words[i] from starts[i] on.
void NeighborListRanking::find_askers(std::span<const WordId> words, std::vector<std::size_t>& starts,
                                      std::vector<Listed>& listed) const {
  constexpr std::uint32_t kNotAsked = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> places(asking_.rows.rows, kNotAsked);
  for (std::size_t i = 0; i < words.size(); ++i) places[words[i]] = static_cast<std::uint32_t>(i);
  const auto for_each_listed = [&](const auto& visit) {
    for (WordId y = 0; y < answering_.rows.rows; ++y) {
      if (answering_.is_zero(y)) continue;  // it has a list, of words at random
      for (std::size_t rank = 0; rank < of_answering_.found; ++rank)
        if (const std::uint32_t place = places[of_answering_.ids_of(y)[rank]]; place != kNotAsked)
          visit(place, Listed{y, of_answering_.scores_of(y)[rank]});
    }
  };
  starts.assign(words.size() + 1, 0);
  for_each_listed([&](std::size_t word, const Listed&) { ++starts[word + 1]; });
  for (std::size_t i = 0; i < words.size(); ++i) starts[i + 1] += starts[i];
  listed.resize(starts.back());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for_each_listed([&](std::size_t word, const Listed& target) { listed[next[word]++] = target; });
}

std::vector<double> NeighborListRanking::most_unlisted(std::span<const WordId> words) const {
  std::vector<double> result;
  const auto last_of = [&](WordId x) { return double{of_asking_.scores_of(x).back()}; };
  if (of_asking_.found == 0) return std::vector<double>(words.size(), -std::numeric_limits<double>::infinity());
  if (words.size() <= kPassesWorthSorting) {
    for (const WordId x : words) result.push_back(UnlistedBound::of_one(last_of(x), targets_, of_answering_, b_));
    return result;
  }
  const UnlistedBound bound(targets_, of_answering_, b_);
  for (const WordId x : words) result.push_back(bound(last_of(x)));
  return result;
}

bool NeighborListRanking::rank(WordId x, std::span<const Listed> listed, double most_unlisted,
                               RankedTargets& list) const {
  if (asking_.is_zero(x)) return false;
  const auto near = of_asking_.ids_of(x);
  const auto cosines = of_asking_.scores_of(x);
  for (std::size_t rank = 0; rank < near.size(); ++rank) list.offer(score(x, near[rank], cosines[rank]), near[rank]);
  for (const Listed& other : listed)
    if (std::ranges::find(near, other.target) == near.end())
      list.offer(score(x, other.target, other.cosine), other.target);
  return all_listed_ || list.threshold() > most_unlisted - a_[x] + kRounding;
}

/// A target whose score reaches the threshold s has cos(x, y) >= (s + a(x)) / 2 + b(y) / 2, but for rounding.
bool NeighborListRanking::search(std::span<const WordId> words, std::span<const double> thresholds, std::size_t count,
                                 std::vector<RankedTargets>& lists) const {
  std::vector<double> halves;
  for (std::size_t i = 0; i < words.size(); ++i) halves.push_back((thresholds[i] + a_[words[i]] - kRounding) / 2);
  std::vector<float> offsets;
  const RowShards shards = answering_.rows.shards();
  const std::size_t own = answering_.rows.own.rows();
  for (std::size_t place = 0; place < own; ++place) offsets.push_back(float_below(b_[shards.number(place)] / 2));
  const Matrix queries = asking_.gather(words);
  const auto found = search_.own().range_search(queries, halves, offsets, std::max(kMostMatches, own));
  if (!answering_.rows.all(found.has_value())) return false;
  ThreadPool::current().for_chunks(words.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      for (const ScoredRow& row : found->of(i)) {
        const auto y = static_cast<WordId>(shards.number(row.id));
        const float cosine = exact_score(queries.row(i).data(), answering_.own(row.id).data(), queries.cols());
        lists[i].offer(score(words[i], y, cosine), y);
      }
  });
  lists = merge_lists(std::move(lists), count, answering_.rows);
  return true;
}

Candidates NeighborListRanking::best(std::span<const WordId> words, std::size_t count, const Fallback& fallback) const {
  count = std::min(count, answering_.nonzero);
  Candidates result{words.size(), count, std::vector<WordId>(words.size() * count),
                    std::vector<double>(words.size() * count)};
  if (count == 0) return result;
  std::vector<std::size_t> starts;
  std::vector<Listed> listed;
  find_askers(words, starts, listed);
  const std::vector<double> unlisted = most_unlisted(words);
  std::vector<std::uint8_t> certain(words.size());
  std::vector<double> thresholds(words.size());
  ThreadPool::current().for_chunks(words.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      RankedTargets list(count);
      const auto own = std::span(listed).subspan(starts[i], starts[i + 1] - starts[i]);
      certain[i] = rank(words[i], own, unlisted[i], list);
      thresholds[i] = list.threshold();
      if (certain[i]) put(list.sorted(), i, result);
    }
  });
  // A list that is not full has no threshold: a range search for its word would find every target.
  std::vector<std::size_t> bounded, unbounded;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!certain[i]) (std::isfinite(thresholds[i]) ? bounded : unbounded).push_back(i);
  if (!search_bounded(words, bounded, thresholds, result)) {
    unbounded.insert(unbounded.end(), bounded.begin(), bounded.end());
    std::ranges::sort(unbounded);
  }
  if (unbounded.empty()) return result;
  std::vector<WordId> open;
  std::vector<double> means;
  for (const std::size_t place : unbounded) {
    open.push_back(words[place]);
    means.push_back(a_[words[place]]);
  }
  const Candidates searched = fallback(asking_.gather(open), means);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>(unbounded[i] * count);
    std::ranges::copy(searched.targets_of(i), result.targets.begin() + place);
    std::ranges::copy(searched.scores_of(i), result.scores.begin() + place);
  }
  return result;
}

bool NeighborListRanking::search_bounded(std::span<const WordId> words, std::span<const std::size_t> places,
                                         std::span<const double> thresholds, Candidates& result) const {
  if (places.empty()) return true;
  std::vector<WordId> open;
  std::vector<double> reached;
  for (const std::size_t place : places) {
    open.push_back(words[place]);
    reached.push_back(thresholds[place]);
  }
  std::vector<RankedTargets> lists(open.size(), RankedTargets(result.found));
  if (!search(open, reached, result.found, lists)) return false;
  for (std::size_t i = 0; i < open.size(); ++i) put(lists[i].sorted(), places[i], result);
  return true;
}

}  // namespace wordbridge
