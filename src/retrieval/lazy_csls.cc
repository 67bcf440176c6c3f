#include "retrieval/lazy_csls.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "linalg/gather.h"
#include "parallel/thread_pool.h"
#include "retrieval/csls/fine_bounds.h"
#include "retrieval/csls/landmark_bounds.h"
#include "retrieval/csls/pruning.h"
#include "retrieval/near_words.h"
#include "retrieval/ranked_targets.h"
#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t kBatch = 4096;         // queries at once
constexpr std::size_t kNear = 512;           // source words for the fine bounds
constexpr std::size_t kNearPromising = 256;  // of these, for the targets nearest to a query
constexpr std::size_t kPool = 128;           // source words near targets, for a first look at many targets
constexpr std::size_t kFirstTargets = 64;    // targets looked at for a first threshold
constexpr std::size_t kLandmarks = 256;      // for the coarse bounds, at most
constexpr std::size_t kEarlyPortions = 2;    // learned before the finest bounds are computed
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
/// Candidates of all queries together that are still worth a lazy computation: 64 MB.
constexpr std::size_t kMostCandidates = std::size_t{1} << 23;

}  // namespace

LazyCsls::LazyCsls(const TableSearch& sources, const TableSearch& targets, NeighborhoodMeans& means, std::size_t k)
    : sources_(sources),
      targets_(targets),
      means_(means),
      k_(k),
      source_norms_(row_norms(sources.table())),
      target_norms_(row_norms(targets.table())),
      bounds_(targets.table().rows()),
      nearest_sources_(targets.table().rows()) {}

/// Computes r_s of those of the targets whose r_s is not known.
void LazyCsls::learn(std::vector<WordId> targets) {
  means_.learn(std::move(targets), bounds_.kth_score,
               [&](WordId target, std::span<const std::uint32_t> nearest) { nearest_sources_.add(target, nearest); });
}

/// Some queries on their way to their lists.
class LazyCsls::Batch {
 public:
  Batch(LazyCsls& csls, ConstMatrixView queries, std::size_t count)
      : csls_(csls),
        count_(count),
        batch_{queries,
               csls.sources_.table(),
               csls.targets_.table(),
               std::min(csls.k_, csls.source_norms_.eligible),
               {},
               0,
               {}},
        open_(queries.rows()) {
    const std::size_t d = queries.cols();
    const double largest_source = csls.source_norms_.largest, largest_target = csls.target_norms_.largest;
    batch_.mean_slack = mean_slack(d, batch_.k, largest_source, largest_target);
    for (std::size_t i = 0; i < queries.rows(); ++i)
      batch_.score_slacks.push_back(
          score_slack(d, norm_above(queries.row(i).data(), d), largest_source, largest_target));
  }

  /// Nothing where the bounds leave so many candidates that the full computation is less work.
  std::optional<std::vector<TopK<double>>> run() {
    // 1. What is near the queries.
    const std::size_t k = batch_.k;
    const auto near =
        near_words(csls_.sources_, batch_.queries, k, std::max(kNearPromising, k), std::max(kNear, k), kMostCandidates);
    const Neighbors top = csls_.targets_.search(batch_.queries, std::max({kFirstTargets, csls_.k_, 2 * count_}));
    set_query_means(top);
    csls_.learn(most_promising(top, near));
    // 2. Coarse bounds.
    const auto pools = source_pools(top, csls_.nearest_sources_, near, k);
    const Matrix own_landmarks = landmarks(batch_.sources, pools, k);
    raise_by_some(own_landmarks);
    // 3. Thresholds, 4. candidates.
    std::vector<double> thresholds;
    for (std::size_t i = 0; i < open_.size(); ++i) thresholds.push_back(rank_known(i, top.ids_of(i)).threshold());
    if (!find_candidates(thresholds, own_landmarks)) return std::nullopt;
    // 5. and 6. Few of the targets that the first look leaves open are still so when the best of them are learned.
    prune_by_fine_bounds(pools, kPool);
    refine(kEarlyPortions);
    prune_by_fine_bounds(near, kNear);
    refine(kUnlimited);
    return std::move(lists_);
  }

 private:
  void set_query_means(const Neighbors& top) {
    for (std::size_t i = 0; i < top.queries; ++i) {
      const auto scores = top.scores_of(i);
      batch_.query_means.push_back(mean_score(scores.first(std::min(csls_.k_, scores.size()))));
    }
  }

  double score(std::size_t query, WordId id) const {
    const double cosine =
        exact_score(batch_.queries.row(query).data(), batch_.targets.row(id).data(), batch_.queries.cols());
    return 2 * cosine - (batch_.query_means[query] + csls_.means_[id]);
  }

  /// The best of some targets, of which only those count whose r_s is known.
  TopK<double> rank_known(std::size_t query, std::span<const WordId> ids) const {
    TopK<double> list(count_);
    for (const WordId id : ids)
      if (csls_.means_.known(id)) list.offer(score(query, id), id);
    return list;
  }

  std::span<const WordId> first_of(const std::vector<WordId>& ids, std::size_t count) const {
    return std::span(ids).first(std::min(std::max(count, batch_.k), ids.size()));
  }

  /// Of the targets nearest to each query, the `count` with the best bounds: nearly all of their r_s are needed anyway,
  /// and then give thresholds.
  std::vector<WordId> most_promising(const Neighbors& top, const std::vector<std::vector<WordId>>& near) {
    ThreadPool::current().for_chunks(open_.size(), 1, [&](std::size_t i, std::size_t, int) {
      open_[i] = fine_bounds(batch_, csls_.bounds_, i, top.ids_of(i), first_of(near[i], kNearPromising));
    });
    share_bounds(open_, csls_.bounds_);
    std::vector<WordId> ids;
    for (auto& targets : open_) {
      TopK<double> best(count_);
      for (const OpenTarget& target : targets) best.offer(target.upper_bound, target.id);
      for (const auto& entry : best.take_sorted()) ids.push_back(entry.id);
      targets.clear();
    }
    return ids;
  }

  /// The landmarks of some queries serve all.
  void raise_by_some(const Matrix& own_landmarks) {
    std::vector<WordId> some;
    const std::size_t stride = (own_landmarks.rows() + kLandmarks - 1) / kLandmarks;
    for (std::size_t i = 0; i < own_landmarks.rows(); i += stride) some.push_back(static_cast<WordId>(i));
    raise_by_landmarks(gather_rows(own_landmarks, some), batch_.targets, batch_.mean_slack, csls_.bounds_.mean);
  }

  /// For each query all targets that may reach its threshold: lists of those whose r_s is known, and the open ones with
  /// their bounds. False where they are too many.
  bool find_candidates(std::span<const double> thresholds, const Matrix& own_landmarks) {
    // 2 <q, y> - lower(y) reaches threshold + r_t(q) only if <q, y> reaches half of that plus lower(y) / 2. Both sides
    // are floats or sums of doubles that lose less than the slack has for them; halving is exact, or off by a denormal.
    std::vector<double> halves;
    for (std::size_t i = 0; i < open_.size(); ++i)
      halves.push_back((thresholds[i] + batch_.query_means[i] - batch_.score_slacks[i]) / 2 - 0x1.0p-149);
    std::vector<float> offsets;
    for (const float mean : csls_.bounds_.mean) offsets.push_back(mean / 2);
    const std::optional<RangeSearchResult> found =
        csls_.targets_.range_search(batch_.queries, halves, offsets, std::max(kMostCandidates, batch_.targets.rows()));
    if (!found) return false;
    lists_.resize(open_.size());
    ThreadPool::current().for_chunks(open_.size(), 1, [&](std::size_t i, std::size_t, int) {
      std::vector<WordId> known, unknown;
      for (const ScoredRow& row : found->of(i)) (csls_.means_.known(row.id) ? known : unknown).push_back(row.id);
      lists_[i] = rank_known(i, known);
      const auto row_at = [&](std::size_t j) { return batch_.targets.row(unknown[j]).data(); };
      visit_prefetched(unknown.size(), batch_.targets.cols(), row_at, [&](std::size_t j) {
        const OpenTarget target = bound_by_landmark(batch_, csls_.bounds_, i, own_landmarks.row(i), unknown[j]);
        if (target.upper_bound >= lists_[i].threshold()) open_[i].push_back(target);
        return true;
      });
    });
    return true;
  }

  /// Leaves the open targets whose fine bounds by `count` of these source words reach the thresholds, best bounds
  /// first.
  void prune_by_fine_bounds(const std::vector<std::vector<WordId>>& words, std::size_t count) {
    ThreadPool::current().for_chunks(open_.size(), 1, [&](std::size_t i, std::size_t, int) {
      std::vector<WordId> ids;
      for (const OpenTarget& target : open_[i]) ids.push_back(target.id);
      open_[i] = fine_bounds(batch_, csls_.bounds_, i, ids, first_of(words[i], count));
    });
    share_bounds(open_, csls_.bounds_);
    for (std::size_t i = 0; i < open_.size(); ++i) {
      prune_targets(open_[i], lists_[i].threshold());
      sort_by_upper_bound(open_[i]);
    }
  }

  void refine(std::size_t portions) {
    refine_in_portions(
        open_, lists_, portions, [&](std::vector<WordId> targets) { csls_.learn(std::move(targets)); },
        [&](std::size_t query, WordId id) {
          return csls_.means_.known(id) ? std::optional(score(query, id)) : std::nullopt;
        });
  }

  LazyCsls& csls_;
  std::size_t count_;
  CslsBatch batch_;
  std::vector<TopK<double>> lists_;  // of the candidates whose r_s is known
  OpenTargets open_;                 // the others
};

std::optional<Candidates> LazyCsls::best(ConstMatrixView queries, std::size_t count) {
  if (source_norms_.largest == 0) return std::nullopt;  // no source word has a vector: there is nothing to bound
  // Products that may overflow bound nothing.
  if (!(mean_slack(queries.cols(), k_, source_norms_.largest, target_norms_.largest) < kUnbounded)) return std::nullopt;
  count = std::min(count, target_norms_.eligible);
  std::vector<TopK<double>> lists;
  if (count == 0) {
    lists.resize(queries.rows());
    return to_candidates(lists, 0);
  }
  for (std::size_t begin = 0; begin < queries.rows(); begin += kBatch) {
    Batch batch(*this, queries.slice(begin, std::min(begin + kBatch, queries.rows())), count);
    std::optional<std::vector<TopK<double>>> ranked = batch.run();
    if (!ranked) return std::nullopt;
    for (TopK<double>& list : *ranked) lists.push_back(std::move(list));
  }
  return to_candidates(lists, count);
}

}  // namespace wordbridge
