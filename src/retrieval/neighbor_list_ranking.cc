#include "retrieval/neighbor_list_ranking.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "linalg/gather.h"
#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

/// Cosines are at most a little over 1, so that the few roundings in double on either side of a comparison are less
/// than this.
constexpr double kRounding = 0x1.0p-46;

void put(std::span<const RankedTargets::Entry> entries, std::size_t query, Candidates& result) {
  for (std::size_t rank = 0; rank < entries.size(); ++rank) {
    result.targets[query * result.found + rank] = entries[rank].id;
    result.scores[query * result.found + rank] = entries[rank].score;
  }
}

}  // namespace

NeighborListRanking::NeighborListRanking(const UnitRows& asking, const UnitRows& answering, CslsStatistics& statistics,
                                         const TwoSidedNeighbors& nearest, Side side)
    : asking_(asking),
      answering_(answering),
      of_asking_(side == Side::source ? nearest.of_source : nearest.of_target),
      of_answering_(side == Side::source ? nearest.of_target : nearest.of_source),
      a_(statistics.of_all(side)),
      b_(statistics.of_all(side == Side::source ? Side::target : Side::source)) {
  // A list that is shorter than asked for holds every word with a vector.
  all_listed_ = of_asking_.found == answering.nonzero() || of_answering_.found == asking.nonzero();
  least_gap_ = std::numeric_limits<double>::infinity();
  for (std::size_t y = 0; y < answering.size(); ++y)
    if (!answering.is_zero(static_cast<WordId>(y)) && of_answering_.found > 0)
      least_gap_ = std::min(least_gap_, b_[y] - static_cast<double>(of_answering_.scores_of(y).back()));
}

/// The targets in whose lists each of the words stands: those of word first + i from starts[i] on.
void NeighborListRanking::find_askers(std::size_t first, std::size_t words, std::vector<std::size_t>& starts,
                                      std::vector<Listed>& listed) const {
  const auto for_each_listed = [&](const auto& visit) {
    for (WordId y = 0; y < answering_.size(); ++y) {
      if (answering_.is_zero(y)) continue;  // it has a list, of words at random
      for (std::size_t rank = 0; rank < of_answering_.found; ++rank)
        if (const WordId word = of_answering_.ids_of(y)[rank]; word >= first && word < first + words)
          visit(word - first, Listed{y, of_answering_.scores_of(y)[rank]});
    }
  };
  starts.assign(words + 1, 0);
  for_each_listed([&](std::size_t word, const Listed&) { ++starts[word + 1]; });
  for (std::size_t i = 0; i < words; ++i) starts[i + 1] += starts[i];
  listed.resize(starts.back());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for_each_listed([&](std::size_t word, const Listed& target) { listed[next[word]++] = target; });
}

bool NeighborListRanking::rank(WordId x, std::span<const Listed> listed, RankedTargets& list) const {
  if (asking_.is_zero(x)) return false;
  const auto near = of_asking_.ids_of(x);
  const auto cosines = of_asking_.scores_of(x);
  const auto offer = [&](WordId y, float cosine) {
    list.offer(2.0 * static_cast<double>(cosine) - (a_[x] + b_[y]), y);
  };
  for (std::size_t rank = 0; rank < near.size(); ++rank) offer(near[rank], cosines[rank]);
  for (const Listed& other : listed)
    if (std::ranges::find(near, other.target) == near.end()) offer(other.target, other.cosine);
  return all_listed_ || list.threshold() > static_cast<double>(cosines.back()) - a_[x] - least_gap_ + kRounding;
}

Candidates NeighborListRanking::best(std::size_t first, std::size_t words, std::size_t count,
                                     const Otherwise& otherwise) const {
  count = std::min(count, answering_.nonzero());
  Candidates result{words, count, std::vector<WordId>(words * count), std::vector<double>(words * count)};
  if (count == 0) return result;
  std::vector<std::size_t> starts;
  std::vector<Listed> listed;
  find_askers(first, words, starts, listed);
  std::vector<std::uint8_t> certain(words);
  ThreadPool::current().for_chunks(words, kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      RankedTargets list(count);
      const auto own = std::span(listed).subspan(starts[i], starts[i + 1] - starts[i]);
      certain[i] = rank(static_cast<WordId>(first + i), own, list);
      if (certain[i]) put(list.sorted(), i, result);
    }
  });
  std::vector<WordId> open;
  std::vector<double> means;
  for (std::size_t i = 0; i < words; ++i) {
    if (certain[i]) continue;
    open.push_back(static_cast<WordId>(first + i));
    means.push_back(a_[first + i]);
  }
  if (open.empty()) return result;
  const Candidates searched = otherwise(gather_rows(asking_.rows(), open), means);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>((open[i] - first) * count);
    std::ranges::copy(searched.targets_of(i), result.targets.begin() + place);
    std::ranges::copy(searched.scores_of(i), result.scores.begin() + place);
  }
  return result;
}

}  // namespace wordbridge
