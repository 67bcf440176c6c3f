#include "retrieval/csls/csls.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "parallel/thread_pool.h"
#include "retrieval/csls/lazy_csls.h"
#include "retrieval/csls/neighbor_list_ranking.h"
#include "retrieval/shifted_ranking.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "space/common_space_state.h"
#include "space/sharded_space.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesInRange = 4096;  // at once, in a range search over shards
constexpr std::size_t kSpareTargets = 16;      // beyond those asked for, for a threshold
/// Targets that a range search may find for all queries together: 64 MB.
constexpr std::size_t kMostInRange = std::size_t{1} << 23;
/// Cosines are at most a little over 1, so that the few roundings in double on either side of a comparison are less.
constexpr double kRoundingInDouble = 0x1.0p-46;
/// Rows of a space have length 1, but for 1e-5 of its square (UnitRows).
constexpr double kLargestNorm = 1.00001;

/// Where rows of a table begin that queries are a part of; nothing where they are vectors of their own.
std::optional<std::size_t> first_row_of(ConstMatrixView queries, ConstMatrixView table) {
  if (queries.rows() == 0 || table.rows() == 0 || queries.stride() != table.stride()) return std::nullopt;
  const std::less<const float*> before;
  if (before(queries.data(), table.data()) || !before(queries.data(), table.data() + table.rows() * table.stride()))
    return std::nullopt;
  const auto offset = static_cast<std::size_t>(queries.data() - table.data());
  if (offset % table.stride() != 0) return std::nullopt;
  return offset / table.stride();
}

/// r_t of queries that are no words of the space.
std::vector<double> means_of(ConstMatrixView queries, const NeighborSearch& search, std::size_t k) {
  NeighborhoodMeans means(queries, search, k);
  means.learn_all();
  return {means.all().begin(), means.all().end()};
}

}  // namespace

/// The words of both sides, whole or sharded, and what is known of them.
class Csls::Tables {
 public:
  Tables(CommonSpace space, std::size_t k, Side asking)
      : whole_(std::move(space)), k_(k), asking_(asking), statistics_(whole_->state().csls(k)) {}
  Tables(const ShardedSpace& space, std::size_t k, Side asking)
      : sharded_(&space), k_(k), asking_(asking), statistics_(space.csls(k)) {}

  Side asking() const { return asking_; }
  Side answering() const { return other(asking_); }
  CslsStatistics& statistics() const { return statistics_; }
  /// Nothing where the space is sharded.
  const CommonSpace::State* whole() const { return whole_ ? &whole_->state() : nullptr; }
  std::size_t size(Side side) const { return whole_ ? whole_->size(side) : sharded_->size(side); }

  ShardedSearch search(Side side) const {
    return whole_ ? ShardedSearch(whole_->state().search(side)) : sharded_->search(side);
  }
  NeighborListRanking::Words words(Side side) const {
    if (whole_) return NeighborListRanking::Words::of(whole_->state().rows(side));
    const ShardedRows& rows = sharded_->table(side);
    return {rows, [rows](WordId place) { return rows.own.row(place); },
            [rows](std::span<const WordId> some) { return rows.gather(some); },
            [this, side](WordId word) { return sharded_->is_zero(side, word); }, sharded_->nonzero(side)};
  }
  /// Whether these are the vectors of all the words, as far as this process has them.
  bool are_rows(Side side, std::span<const WordId> ids, ConstMatrixView queries) const {
    const NeighborListRanking::Words rows = words(side);
    const RowShards shards = rows.rows.shards();
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (shards.owns(ids[i]) &&
          !std::ranges::equal(queries.row(i), rows.own(static_cast<WordId>(shards.place(ids[i])))))
        return false;
    return true;
  }
  /// Whether it holds for all processes.
  bool all(bool mine) const { return whole_ ? mine : sharded_->table(asking_).all(mine); }
  void require_dimension(ConstMatrixView queries) const {
    wordbridge::require_dimension(
        queries, whole_ ? whole_->state().rows(answering()).unread() : sharded_->table(answering()).own);
  }
  /// `means`: r_s of the answering words.
  std::shared_ptr<LazyCsls> lazy(NeighborhoodMeans& means) const {
    if (!whole_) {
      const auto table = [&](Side side) {
        return CslsTable(sharded_->search(side), {kLargestNorm, sharded_->nonzero(side)});
      };
      if (!lazy_) lazy_ = std::make_shared<LazyCsls>(table(asking_), table(answering()), means, k_);
      return lazy_;
    }
    const CommonSpace::State& state = whole_->state();
    return state.shared<LazyCsls>(fmt::format("lazy csls, k {}, {} asks", k_, name_of(asking_)), [&] {
      return std::make_shared<LazyCsls>(state.search(asking_), state.search(answering()), means, k_);
    });
  }
  /// Of a space that is whole.
  std::shared_ptr<ShiftedRanking> ranking() const {
    const CommonSpace::State& state = whole_->state();
    return state.shared<ShiftedRanking>(fmt::format("csls ranking, k {}, {} asks", k_, name_of(asking_)), [&] {
      return std::make_shared<ShiftedRanking>(state.rows(answering()), 2.0, statistics_.of_all(answering()));
    });
  }

 private:
  std::optional<CommonSpace> whole_;
  const ShardedSpace* sharded_ = nullptr;
  std::size_t k_;
  Side asking_;
  CslsStatistics& statistics_;              // of the space
  mutable std::shared_ptr<LazyCsls> lazy_;  // of a sharded space, which one thread asks
};

/// Ranks vectors over sharded targets whose r_s are known: the best of those nearest to a query set a threshold, and
/// every process finds its own targets that reach it by a range search.
class Csls::RangeRanking {
 public:
  RangeRanking(const ShardedSearch& targets, std::span<const double> means, ConstMatrixView queries, std::size_t k,
               std::size_t count)
      : targets_(targets), means_(means), queries_(queries), count_(count) {
    nearest_ = targets.search(queries, std::max(k, count + kSpareTargets));
    for (std::size_t i = 0; i < queries.rows(); ++i)
      query_means_.push_back(mean_score(nearest_.scores_of(i).first(std::min(k, nearest_.found))));
  }

  std::vector<RankedTargets> run() const {
    // A target whose score reaches the threshold s has cos(q, y) >= (s + r_t(q)) / 2 + r_s(y) / 2, but for rounding.
    std::vector<double> halves;
    for (std::size_t i = 0; i < queries_.rows(); ++i) {
      RankedTargets list(count_);
      for (std::size_t rank = 0; rank < nearest_.found; ++rank)
        list.offer(score(i, nearest_.ids_of(i)[rank], nearest_.scores_of(i)[rank]), nearest_.ids_of(i)[rank]);
      halves.push_back((list.threshold() + query_means_[i] - kRoundingInDouble) / 2);
    }
    std::vector<float> offsets;
    for (std::size_t place = 0; place < targets_.table().own.rows(); ++place)
      offsets.push_back(float_below(means_[number(place)] / 2));
    std::vector<RankedTargets> lists;
    search(0, queries_.rows(), halves, offsets, lists);
    return merge_lists(std::move(lists), count_, targets_.table());
  }

 private:
  WordId number(std::size_t place) const { return static_cast<WordId>(targets_.table().shards().number(place)); }
  double score(std::size_t query, WordId id, float cosine) const {
    return 2.0 * static_cast<double>(cosine) - (query_means_[query] + means_[id]);
  }

  /// In parts where there is too much to look at; one query alone is never too much.
  void search(std::size_t begin, std::size_t end, std::span<const double> halves, std::span<const float> offsets,
              std::vector<RankedTargets>& lists) const {
    const auto found = targets_.own().range_search(queries_.slice(begin, end), halves.subspan(begin, end - begin),
                                                   offsets, std::max(kMostInRange, offsets.size()));
    if (found) {
      for (RankedTargets& list : rank_matches(*found, begin)) lists.push_back(std::move(list));
      return;
    }
    const std::size_t middle = (begin + end) / 2;
    search(begin, middle, halves, offsets, lists);
    search(middle, end, halves, offsets, lists);
  }

  /// The best own targets of the queries from `first` on.
  std::vector<RankedTargets> rank_matches(const RangeSearchResult& found, std::size_t first) const {
    const ConstMatrixView own = targets_.table().own;
    std::vector<RankedTargets> lists(found.starts.size() - 1, RankedTargets(count_));
    ThreadPool::current().for_chunks(lists.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i)
        for (const ScoredRow& row : found.of(i)) {
          const float cosine = exact_score(queries_.row(first + i).data(), own.row(row.id).data(), own.cols());
          lists[i].offer(score(first + i, number(row.id), cosine), number(row.id));
        }
    });
    return lists;
  }

  const ShardedSearch& targets_;
  std::span<const double> means_;  // r_s
  ConstMatrixView queries_;
  std::size_t count_;
  Neighbors nearest_;                // of the queries
  std::vector<double> query_means_;  // r_t
};

Csls::Csls(CommonSpace space, const CslsOptions& options, Side asking)
    : tables_(std::make_unique<const Tables>(std::move(space), options.neighbors, asking)), options_(options) {}
Csls::Csls(const ShardedSpace& space, const CslsOptions& options, Side asking)
    : tables_(std::make_unique<const Tables>(space, options.neighbors, asking)), options_(options) {}
Csls::~Csls() = default;

/// Whether it is less work to learn r_s only where needed. In searches over a table: the full pass takes one a target;
/// a lazy query some for its bounds and one for each of its candidates, of which there are a few more than `count`. The
/// bounds are products of floats, so they count for more where searches are screened.
bool Csls::lazy_is_less_work(std::size_t queries, std::size_t count) const {
  const Side answering = tables_->answering();
  CslsStatistics& statistics = tables_->statistics();
  if (statistics.complete(answering)) return false;
  const std::size_t bounds = tables_->all(int8_filter_is_fast()) ? 30 : 4;
  return queries * (bounds + count + count / 2) < tables_->size(answering) - statistics.known(answering);
}

std::optional<Candidates> Csls::best_lazily(ConstMatrixView queries, std::size_t count) const {
  CslsStatistics::Partial known(tables_->statistics(), tables_->answering());
  return tables_->lazy(known.means())->best(queries, count);
}

Candidates Csls::rank_in_range(ConstMatrixView queries, std::size_t count) const {
  const Side answering = tables_->answering();
  count = std::min(count, tables_->words(answering).nonzero);
  std::vector<RankedTargets> lists;
  if (count == 0) lists.resize(queries.rows());
  const ShardedSearch targets = tables_->search(answering);
  const std::span<const double> of_targets = tables_->statistics().of_all(answering);
  for (std::size_t begin = lists.size(); begin < queries.rows(); begin += kQueriesInRange) {
    const std::size_t end = std::min(begin + kQueriesInRange, queries.rows());
    const RangeRanking some(targets, of_targets, queries.slice(begin, end), options_.neighbors, count);
    for (RankedTargets& list : some.run()) lists.push_back(std::move(list));
  }
  return to_candidates(lists, count);
}

Candidates Csls::best_fully(ConstMatrixView queries, std::size_t count) const {
  CslsStatistics& statistics = tables_->statistics();
  const Side asking = tables_->asking(), answering = tables_->answering();
  const CommonSpace::State* whole = tables_->whole();
  if (whole == nullptr) return rank_in_range(queries, count);
  const ConstMatrixView table = whole->rows(asking).rows();
  const auto first = first_row_of(queries, table);
  if (!first) {
    statistics.of_all(answering);
    const auto means = means_of(queries, whole->search(answering), options_.neighbors);
    return tables_->ranking()->best(queries, means, count);
  }
  if (queries.rows() == table.rows()) statistics.learn_both();
  statistics.of_all(answering);
  std::vector<WordId> words(queries.rows());
  std::iota(words.begin(), words.end(), static_cast<WordId>(*first));
  if (std::optional<Candidates> candidates = best_of_lists(words, count)) return std::move(*candidates);
  return tables_->ranking()->best(queries, statistics.of(asking, *first, queries.rows()), count);
}

std::optional<Candidates> Csls::best_of_lists(std::span<const WordId> words, std::size_t count) const {
  const TwoSidedLists* nearest = tables_->statistics().nearest();
  if (nearest == nullptr) return std::nullopt;
  const Side asking = tables_->asking(), answering = tables_->answering();
  const NeighborListRanking lists(tables_->words(asking), tables_->words(answering), tables_->search(answering),
                                  tables_->statistics(), *nearest, asking);
  return lists.best(words, count, [&](ConstMatrixView open, std::span<const double> means) {
    return tables_->whole() != nullptr ? tables_->ranking()->best(open, means, count) : rank_in_range(open, count);
  });
}

Candidates Csls::best(ConstMatrixView queries, std::size_t count) const {
  tables_->require_dimension(queries);
  using Statistics = CslsOptions::Statistics;
  if (options_.statistics == Statistics::lazy ||
      (options_.statistics == Statistics::automatic && lazy_is_less_work(queries.rows(), count)))
    if (std::optional<Candidates> candidates = best_lazily(queries, count)) return std::move(*candidates);
  return best_fully(queries, count);
}

Candidates Csls::best_for(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t count) const {
  if (tables_->statistics().nearest() == nullptr) return best(queries, count);
  tables_->require_dimension(queries);
  std::vector<WordId> ids;
  for (const AskingWord& word : words)
    if (word.id) ids.push_back(*word.id);
  std::vector<WordId> ascending = ids;
  std::ranges::sort(ascending);
  const bool lists_serve = ids.size() == words.size() && std::ranges::adjacent_find(ascending) == ascending.end() &&
                           tables_->are_rows(tables_->asking(), ids, queries);
  return tables_->all(lists_serve) ? *best_of_lists(ids, count) : best(queries, count);
}

std::size_t Csls::known_statistics() const { return tables_->statistics().known(tables_->answering()); }

}  // namespace wordbridge
