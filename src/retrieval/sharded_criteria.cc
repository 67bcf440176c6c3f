#include "retrieval/sharded_criteria.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/option_error.h"
#include "parallel/thread_pool.h"
#include "retrieval/criterion_registry.h"
#include "retrieval/ranked_targets.h"
#include "retrieval/sharded_csls_tables.h"
#include "retrieval/sharded_lazy_csls.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "space/common_space_state.h"
#include "space/neighborhood_means.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesInRange = 4096;  // at once, where r_s is known of all
constexpr std::size_t kSpareTargets = 16;      // beyond those asked for, for a threshold
/// Targets that a range search may find for all queries together: 64 MB.
constexpr std::size_t kMostInRange = std::size_t{1} << 23;
/// Cosines are at most a little over 1, so that the few roundings in double on either side of a comparison are less.
constexpr double kRoundingInDouble = 0x1.0p-46;

}  // namespace

Candidates ShardedNearest::best(ConstMatrixView queries, std::size_t count) const {
  return to_candidates(space_.search(other(asking_)).search(queries, count));
}

ShardedCsls::ShardedCsls(const ShardedSpace& space, std::size_t neighbors, Side asking)
    : nonzero_(space.nonzero(other(asking))), tables_(std::make_unique<ShardedCslsTables>(space, neighbors, asking)) {}

ShardedCsls::~ShardedCsls() = default;

std::size_t ShardedCsls::known_statistics() const { return tables_->means.known_count(); }

/// Some queries on their way to their lists.
class ShardedCsls::Batch {
 public:
  Batch(ShardedCslsTables& tables, ConstMatrixView queries, std::size_t count)
      : tables_(tables),
        queries_(queries),
        count_(count),
        nearest_(tables.targets.search(queries, std::max(tables.k, count + kSpareTargets))) {
    for (std::size_t i = 0; i < queries.rows(); ++i)
      query_means_.push_back(mean_score(nearest_.scores_of(i).first(std::min(tables.k, nearest_.found))));
  }

  std::vector<RankedTargets> run(bool lazily) {
    if (lazily)
      if (auto lists = rank_lazily(tables_, queries_, query_means_, count_)) return std::move(*lists);
    tables_.means.learn_all();
    return merge_lists(rank_in_range(), count_, tables_.communicator());
  }

 private:
  double score(std::size_t query, WordId id, float cosine) const {
    return 2.0 * static_cast<double>(cosine) - (query_means_[query] + tables_.means[id]);
  }

  /// A target whose score reaches the threshold s has cos(q, y) >= (s + r_t(q)) / 2 + r_s(y) / 2, but for rounding.
  std::vector<RankedTargets> rank_in_range() const {
    std::vector<double> halves;
    for (std::size_t i = 0; i < queries_.rows(); ++i) {
      RankedTargets list(count_);
      for (std::size_t rank = 0; rank < nearest_.found; ++rank)
        list.offer(score(i, nearest_.ids_of(i)[rank], nearest_.scores_of(i)[rank]), nearest_.ids_of(i)[rank]);
      halves.push_back((list.threshold() + query_means_[i] - kRoundingInDouble) / 2);
    }
    std::vector<float> offsets;
    for (std::size_t place = 0; place < tables_.own_targets().rows(); ++place)
      offsets.push_back(float_below(tables_.means[tables_.number(place)] / 2));
    std::vector<RankedTargets> lists;
    search_range(0, queries_.rows(), halves, offsets, lists);
    return lists;
  }

  /// In parts where there is too much to look at; one query alone is never too much.
  void search_range(std::size_t begin, std::size_t end, std::span<const double> halves, std::span<const float> offsets,
                    std::vector<RankedTargets>& lists) const {
    const auto found =
        tables_.targets.own().range_search(queries_.slice(begin, end), halves.subspan(begin, end - begin), offsets,
                                           std::max(kMostInRange, offsets.size()));
    if (found) {
      for (RankedTargets& list : rank_matches(*found, begin)) lists.push_back(std::move(list));
      return;
    }
    const std::size_t middle = (begin + end) / 2;
    search_range(begin, middle, halves, offsets, lists);
    search_range(middle, end, halves, offsets, lists);
  }

  /// The best own targets of the queries from `first` on.
  std::vector<RankedTargets> rank_matches(const RangeSearchResult& found, std::size_t first) const {
    const ConstMatrixView own = tables_.own_targets();
    std::vector<RankedTargets> lists(found.starts.size() - 1, RankedTargets(count_));
    ThreadPool::current().for_chunks(lists.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i)
        for (const ScoredRow& row : found.of(i)) {
          const float cosine = exact_score(queries_.row(first + i).data(), own.row(row.id).data(), own.cols());
          const WordId id = tables_.number(row.id);
          lists[i].offer(score(first + i, id, cosine), id);
        }
    });
    return lists;
  }

  ShardedCslsTables& tables_;
  ConstMatrixView queries_;
  std::size_t count_;
  Neighbors nearest_;                // of the queries
  std::vector<double> query_means_;  // r_t
};

/// As Csls decides between its ways.
Candidates ShardedCsls::best(ConstMatrixView queries, std::size_t count) const {
  count = std::min(count, nonzero_);
  std::vector<RankedTargets> lists;
  if (count == 0) {
    lists.resize(queries.rows());
    return to_candidates(lists, 0);
  }
  const std::size_t bounds = int8_filter_is_fast() ? 30 : 4;
  const bool lazily = queries.rows() * (bounds + count + count / 2) < tables_->means.unknown_count();
  const std::size_t at_once = lazily ? kLazyShardedQueries : kQueriesInRange;
  for (std::size_t begin = 0; begin < queries.rows(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, queries.rows());
    for (RankedTargets& list : Batch(*tables_, queries.slice(begin, end), count).run(lazily))
      lists.push_back(std::move(list));
  }
  return to_candidates(lists, count);
}

void require_sharded_criterion(std::string_view name) {
  static_cast<void>(registered_criterion(name));
  if (name != "nn" && name != "csls")
    throw OptionError(OptionName("criterion", std::string(name)) + " is for one process; several share the work of " +
                      OptionName("criterion", "csls") + " and of " + OptionName("criterion", "nn"));
}

std::unique_ptr<const Criterion> make_sharded_criterion(std::string_view name, const ShardedSpace& space,
                                                        const CriterionOptions& options, Side asking) {
  require_sharded_criterion(name);
  if (name == "nn") return std::make_unique<ShardedNearest>(space, asking);
  return std::make_unique<ShardedCsls>(space, options.neighbors, asking);
}

}  // namespace wordbridge
