#include "retrieval/sharded_lazy_csls.h"

#include <algorithm>
#include <utility>

#include "parallel/thread_pool.h"
#include "retrieval/csls/bounds.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kNearSources = 256;    // for the fine bounds
constexpr std::size_t kFirstNear = 64;       // of these, for a first look at many targets
constexpr std::size_t kPromising = 64;       // targets looked at for a first threshold
constexpr std::size_t kMostOpen = 1u << 22;  // candidates of a process that are still worth it
/// Rows of a space have length 1, but for 1e-5 of its square (UnitRows).
constexpr double kLargestNorm = 1.00001;
/// The roundings to float of cosines, of the scores in a mean, of 2 q - m(q) and of its products: 9 roundoffs at most.
constexpr double kBoundSlack = 16 * kFloatRoundoff;

/// Some queries on their way to their lists.
class LazyShardedBatch {
 public:
  LazyShardedBatch(ShardedCslsTables& tables, ConstMatrixView queries, std::span<const double> query_means,
                   std::size_t count)
      : tables_(tables), count_(count), near_(queries.rows()), lists_(queries.rows(), RankedTargets(count)) {
    const Neighbors near = tables.sources.search(queries, std::max(tables.k, kNearSources));
    std::vector<WordId> ids = near.ids;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    sources_ = tables.sources.table().gather(ids);
    for (std::size_t i = 0; i < near.queries; ++i)
      for (const WordId id : near.ids_of(i))
        near_[i].push_back(static_cast<WordId>(std::ranges::lower_bound(ids, id) - ids.begin()));
    const std::size_t d = queries.cols(), k = std::min(tables.k, near.found);
    batch_ = {queries,
              sources_,
              tables.own_targets(),
              k,
              {query_means.begin(), query_means.end()},
              mean_slack(d, k, kLargestNorm, kLargestNorm),
              std::vector<double>(queries.rows(), score_slack(d, kLargestNorm, kLargestNorm, kLargestNorm))};
  }

  std::optional<std::vector<RankedTargets>> run() {
    if (batch_.k == 0) return std::nullopt;  // no source word has a vector: there is nothing to bound
    const Matrix bounding = bounding_queries();
    learn_promising(bounding);
    if (!find_open(bounding)) return std::nullopt;
    prune_by_sources(kFirstNear);
    prune_by_sources(near_.front().size());
    learn_open();
    return merged();
  }

 private:
  std::size_t queries() const { return batch_.queries.rows(); }

  /// 2 q - m(q).
  Matrix bounding_queries() const {
    Matrix result = landmarks(sources_, near_, batch_.k);
    for (std::size_t i = 0; i < result.rows(); ++i)
      for (std::size_t j = 0; j < result.cols(); ++j)
        result(i, j) =
            static_cast<float>(2.0 * static_cast<double>(batch_.queries(i, j)) - static_cast<double>(result(i, j)));
    return result;
  }

  double score(std::size_t query, WordId place) const {
    const double cosine =
        exact_score(batch_.queries.row(query).data(), batch_.targets.row(place).data(), batch_.queries.cols());
    return 2 * cosine - (batch_.query_means[query] + tables_.means[tables_.number(place)]);
  }

  std::vector<RankedTargets> merged() const { return merge_lists(lists_, count_, tables_.communicator()); }
  void share_thresholds() {
    thresholds_.clear();
    for (const RankedTargets& list : merged()) thresholds_.push_back(list.threshold());
  }

  /// Of each query the `count` with the best fine bounds among those that the products put first.
  void learn_promising(const Matrix& bounding) {
    const Neighbors first = tables_.targets.search(bounding, std::max(kPromising, 2 * count_));
    OpenTargets own(queries());
    for_queries([&](std::size_t i) {
      std::vector<WordId> places;
      for (const WordId id : first.ids_of(i))
        if (tables_.shards.owns(id)) places.push_back(static_cast<WordId>(tables_.shards.place(id)));
      own[i] = fine_bounds(batch_, tables_.bounds, i, places, near_[i]);
    });
    share_bounds(own, tables_.bounds);
    std::vector<RankedTargets> promising(queries(), RankedTargets(count_));
    for (std::size_t i = 0; i < queries(); ++i)
      for (const OpenTarget& target : own[i]) promising[i].offer(target.upper_bound, tables_.number(target.id));
    std::vector<WordId> wanted;
    for (const RankedTargets& list : merge_lists(promising, count_, tables_.communicator()))
      for (const RankedTargets::Entry& entry : list.sorted()) wanted.push_back(entry.id);
    tables_.means.learn(std::move(wanted));
    for (std::size_t i = 0; i < queries(); ++i)
      for (const OpenTarget& target : own[i])
        if (tables_.means.known(tables_.number(target.id)))
          lists_[i].offer(score(i, target.id), tables_.number(target.id));
    share_thresholds();
    std::ranges::fill(lists_, RankedTargets(count_));  // the range search finds them again
  }

  /// The own targets that may reach the thresholds: ranked where r_s is known, else open. False, on all processes,
  /// where they are too many on one.
  bool find_open(const Matrix& bounding) {
    std::vector<double> limits;
    for (std::size_t i = 0; i < queries(); ++i) limits.push_back(thresholds_[i] + batch_.query_means[i] - kBoundSlack);
    const auto found = tables_.targets.own().range_search(bounding, limits, {}, kMostOpen);
    const std::vector<std::uint8_t> mine = {static_cast<std::uint8_t>(found.has_value())};
    for (const auto& one : tables_.communicator().all_gather_values<std::uint8_t>(mine))
      if (one.front() == 0) return false;
    open_.resize(queries());
    for_queries([&](std::size_t i) {
      for (const ScoredRow& row : found->of(i)) {
        if (tables_.means.known(tables_.number(row.id)))
          lists_[i].offer(score(i, row.id), tables_.number(row.id));
        else
          open_[i].push_back({0, 0, 0, row.id});
      }
    });
    return true;
  }

  /// Leaves the open targets whose bounds by so many source words reach the thresholds, best bounds first.
  void prune_by_sources(std::size_t words) {
    for_queries([&](std::size_t i) {
      std::vector<WordId> places;
      for (const OpenTarget& target : open_[i]) places.push_back(target.id);
      open_[i] = fine_bounds(batch_, tables_.bounds, i, places,
                             std::span(near_[i]).first(std::min(std::max(words, batch_.k), near_[i].size())));
    });
    share_bounds(open_, tables_.bounds);
    for (std::size_t i = 0; i < queries(); ++i) {
      prune_targets(open_[i], thresholds_[i]);
      sort_by_upper_bound(open_[i]);
    }
  }

  /// In portions that double, until nobody has an open target.
  void learn_open() {
    for (std::size_t portion = 2;; portion *= 2) {
      std::vector<WordId> mine, wanted;
      for (const auto& open : open_)
        for (std::size_t j = 0; j < std::min(portion, open.size()); ++j) mine.push_back(tables_.number(open[j].id));
      for (const auto& part : tables_.communicator().all_gather_values<WordId>(mine))
        wanted.insert(wanted.end(), part.begin(), part.end());
      if (wanted.empty()) return;
      tables_.means.learn(std::move(wanted));
      for_queries([&](std::size_t i) {
        std::erase_if(open_[i], [&](const OpenTarget& target) {
          const WordId id = tables_.number(target.id);
          if (!tables_.means.known(id)) return false;
          lists_[i].offer(score(i, target.id), id);
          return true;
        });
      });
      share_thresholds();
      for (std::size_t i = 0; i < queries(); ++i) prune_targets(open_[i], thresholds_[i]);
    }
  }

  template <class Work>
  void for_queries(const Work& work) {
    ThreadPool::current().for_chunks(queries(), 1, [&](std::size_t i, std::size_t, int) { work(i); });
  }

  ShardedCslsTables& tables_;
  std::size_t count_;
  Matrix sources_;                         // near the queries
  std::vector<std::vector<WordId>> near_;  // of each query among these, the nearest first
  CslsBatch batch_;                        // own targets go by place
  std::vector<RankedTargets> lists_;       // of own targets whose r_s is known
  std::vector<double> thresholds_;         // of all processes
  OpenTargets open_;                       // own targets whose r_s is not known
};

}  // namespace

std::optional<std::vector<RankedTargets>> rank_lazily(ShardedCslsTables& tables, ConstMatrixView queries,
                                                      std::span<const double> query_means, std::size_t count) {
  return LazyShardedBatch(tables, queries, query_means, count).run();
}

}  // namespace wordbridge
