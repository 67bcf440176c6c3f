#include "retrieval/csls/lazy_csls.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/csls/bounds.h"
#include "retrieval/csls/csls.h"
#include "retrieval/csls/csls_memory.h"
#include "retrieval/ranked_targets.h"
#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"
#include "space/neighborhood_means.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t kBatch = 4096;         // queries at once
constexpr std::size_t kLeastBatch = 32;      // that leave too many candidates only where the bounds are bad
constexpr std::size_t kNear = 512;           // source words for the fine bounds
constexpr std::size_t kNearPromising = 256;  // of these, for the targets nearest to a query
constexpr std::size_t kPool = 128;           // source words near targets, for a first look at many targets
constexpr std::size_t kFirstTargets = 64;    // targets looked at for a first threshold
constexpr std::size_t kLandmarks = 256;      // for the coarse bounds, at most
constexpr std::size_t kEarlyPortions = 2;    // learned before the finest bounds are computed
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
/// Candidates of all queries together that are still worth a lazy computation: 64 MB.
constexpr std::size_t kMostCandidates = std::size_t{1} << 23;

std::vector<WordId> zero_rows(ConstMatrixView table) {
  std::vector<WordId> result;
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (is_zero(table.row(i))) result.push_back(static_cast<WordId>(i));
  return result;
}

}  // namespace

LazyCsls::LazyCsls(const CslsTable& sources, const CslsTable& targets, NeighborhoodMeans& means, std::size_t k,
                   CslsMemory* memory)
    : sources_(sources),
      targets_(targets),
      means_(means),
      k_(k),
      bounds_(targets.own().rows()),
      own_memory_(memory == nullptr ? targets.rows().rows : 0),
      memory_(memory == nullptr ? own_memory_ : *memory) {}

/// Computes r_s of those of the targets whose r_s is not known. Bounds of the k-th best score are known to the process
/// that has the target.
void LazyCsls::learn(std::vector<WordId> targets) {
  means_.learn(std::move(targets), targets_.rows().is_whole() ? bounds_.kth_score : std::span<const float>(),
               [&](WordId target, std::span<const std::uint32_t> nearest) { memory_.nearest.add(target, nearest); });
}

/// Some queries on their way to their lists.
class LazyCsls::Batch {
 public:
  Batch(LazyCsls& csls, ConstMatrixView queries, std::size_t count)
      : csls_(csls),
        count_(count),
        shards_(csls.targets_.rows().shards()),
        fetched_(csls.sources_.rows()),
        batch_{queries, fetched_.rows(), csls.targets_.own(), std::min(csls.k_, csls.sources_.norms.eligible), {}, 0,
               {}},
        open_(queries.rows()) {
    const std::size_t d = queries.cols();
    const double largest_source = csls.sources_.norms.largest, largest_target = csls.targets_.norms.largest;
    batch_.mean_slack = mean_slack(d, batch_.k, largest_source, largest_target);
    for (std::size_t i = 0; i < queries.rows(); ++i)
      batch_.score_slacks.push_back(
          score_slack(d, norm_above(queries.row(i).data(), d), largest_source, largest_target));
  }

  /// nullopt if the bounds leave so many candidates that the full computation is less work. With `remembering`, from
  /// the memory where it serves, and for it.
  std::optional<std::vector<TopK<double>>> run(bool remembering) {
    // 1. What is near the queries, and 2. coarse bounds.
    CslsMemory& memory = csls_.memory_;
    const bool known = remembering && memory.serves(open_.size(), count_, zero_rows(batch_.sources));
    if (known)
      recall(memory);
    else
      look_around(memory, remembering);
    // 3. Thresholds, 4. candidates.
    for (std::size_t i = 0; i < open_.size(); ++i)
      lists_.push_back(rank_known(i, own_places(known ? memory.best.targets_of(i) : memory.top.ids_of(i))));
    share_thresholds();
    if (!find_candidates()) return std::nullopt;
    // 5. and 6. Few of the targets that the first look leaves open are still so when the best of them are learned.
    prune_by_fine_bounds(memory.pools, kPool);
    refine(kEarlyPortions);
    prune_by_fine_bounds(memory.near, kNear);
    refine(kUnlimited);
    if (remembering)
      memory.best = to_candidates(lists_, count_);
    else
      memory.forget_queries();
    return merge_lists(std::move(lists_), count_, csls_.targets_.rows());
  }

 private:
  /// What is near the queries, and coarse bounds, from nothing.
  void look_around(CslsMemory& memory, bool remembering) {
    const std::size_t k = batch_.k;
    if (remembering) memory = CslsMemory(batch_.targets.rows());
    std::vector<std::vector<WordId>> near = near_words(
        csls_.sources_.search, batch_.queries, k, std::max(kNearPromising, k), std::max(kNear, k), kMostCandidates);
    fetch(near);
    memory.near = fetched_.places(near);
    memory.top = csls_.targets_.search.search(batch_.queries, std::max({kFirstTargets, csls_.k_, 2 * count_}));
    set_query_means(memory.top);
    csls_.learn(most_promising(memory.top, memory.near));
    std::vector<std::vector<WordId>> pools = source_pools(memory.top, memory.nearest, near, k);
    fetch(pools);
    memory.pools = fetched_.places(std::move(pools));
    landmarks_ = landmarks(batch_.sources, memory.pools, k);
    raise_by_some(remembering ? &memory.landmark_of : nullptr);
    if (remembering) memory.zero_sources = zero_rows(batch_.sources);
  }

  /// The same from what is known of these queries under another map.
  void recall(CslsMemory& memory) {
    memory.top = csls_.targets_.search.search_above(
        batch_.queries, csls_.k_,
        rescored_lower_bounds(batch_.queries, batch_.targets, memory.top, std::min(csls_.k_, memory.top.found)));
    set_query_means(memory.top);
    landmarks_ = landmarks(batch_.sources, memory.pools, batch_.k);
    raise_by_memory(batch_, memory, landmarks_, csls_.bounds_);
    csls_.learn(memory.best.targets);
  }

  void set_query_means(const Neighbors& top) {
    for (std::size_t i = 0; i < top.queries; ++i) {
      const auto scores = top.scores_of(i);
      batch_.query_means.push_back(mean_score(scores.first(std::min(csls_.k_, scores.size()))));
    }
  }

  /// Source words that bounds are made of; of all queries, on all processes.
  void fetch(std::span<const std::vector<WordId>> words) {
    fetched_.fetch(words);
    batch_.sources = fetched_.rows();
  }

  WordId number(WordId place) const { return static_cast<WordId>(shards_.number(place)); }
  /// Of the own ones of some targets, given by number.
  std::vector<WordId> own_places(std::span<const WordId> numbers) const {
    std::vector<WordId> places;
    for (const WordId number : numbers)
      if (shards_.owns(number)) places.push_back(static_cast<WordId>(shards_.place(number)));
    return places;
  }

  /// The count-th best scores so far, of all processes.
  void share_thresholds() {
    thresholds_.clear();
    if (csls_.targets_.rows().is_whole()) {
      for (const TopK<double>& list : lists_) thresholds_.push_back(list.threshold());
    } else {
      for (const TopK<double>& list : merge_lists(lists_, count_, csls_.targets_.rows()))
        thresholds_.push_back(list.threshold());
    }
  }

  double score(std::size_t query, WordId place) const {
    const double cosine =
        exact_score(batch_.queries.row(query).data(), batch_.targets.row(place).data(), batch_.queries.cols());
    return 2 * cosine - (batch_.query_means[query] + csls_.means_[number(place)]);
  }

  /// The best of some targets, of which only those count whose r_s is known.
  TopK<double> rank_known(std::size_t query, std::span<const WordId> places) const {
    TopK<double> list(count_);
    for (const WordId place : places)
      if (csls_.means_.known(number(place))) list.offer(score(query, place), number(place));
    return list;
  }

  std::span<const WordId> first_of(const std::vector<WordId>& ids, std::size_t count) const {
    return std::span(ids).first(std::min(std::max(count, batch_.k), ids.size()));
  }

  /// Of the targets nearest to each query, the `count` with the best bounds: nearly all of their r_s are needed anyway,
  /// and then give thresholds.
  std::vector<WordId> most_promising(const Neighbors& top, const std::vector<std::vector<WordId>>& near) {
    ThreadPool::current().for_chunks(open_.size(), 1, [&](std::size_t i, std::size_t, int) {
      open_[i] = fine_bounds(batch_, csls_.bounds_, i, own_places(top.ids_of(i)), first_of(near[i], kNearPromising));
    });
    share_bounds(open_, csls_.bounds_);
    std::vector<TopK<double>> best(open_.size(), TopK<double>(count_));
    for (std::size_t i = 0; i < open_.size(); ++i) {
      for (const OpenTarget& target : open_[i]) best[i].offer(target.upper_bound, number(target.id));
      open_[i].clear();
    }
    std::vector<WordId> ids;
    for (TopK<double>& list : merge_lists(std::move(best), count_, csls_.targets_.rows()))
      for (const auto& entry : list.take_sorted()) ids.push_back(entry.id);
    return ids;
  }

  /// The landmarks of some queries serve all. `best_of`: the query whose landmark is the best for each target.
  void raise_by_some(std::vector<std::uint32_t>* best_of) {
    std::vector<WordId> some;
    const std::size_t stride = (landmarks_.rows() + kLandmarks - 1) / kLandmarks;
    for (std::size_t i = 0; i < landmarks_.rows(); i += stride) some.push_back(static_cast<WordId>(i));
    if (best_of != nullptr) best_of->assign(batch_.targets.rows(), 0);
    raise_by_landmarks(gather_rows(landmarks_, some), batch_.targets, batch_.mean_slack, csls_.bounds_.mean,
                       best_of == nullptr ? std::span<std::uint32_t>() : *best_of);
    if (best_of != nullptr)
      for (std::uint32_t& query : *best_of) query = some[query];
  }

  /// For each query all own targets that may reach its threshold: lists of those whose r_s is known, and the open ones
  /// with their bounds. False, on all processes, where they are too many on one.
  bool find_candidates() {
    // 2 <q, y> - lower(y) reaches threshold + r_t(q) only if <q, y> reaches half of that plus lower(y) / 2. Both sides
    // are floats or sums of doubles that lose less than the slack has for them; halving is exact, or off by a denormal.
    std::vector<double> halves;
    for (std::size_t i = 0; i < open_.size(); ++i)
      halves.push_back((thresholds_[i] + batch_.query_means[i] - batch_.score_slacks[i]) / 2 - 0x1.0p-149);
    std::vector<float> offsets;
    for (const float mean : csls_.bounds_.mean) offsets.push_back(mean / 2);
    const std::optional<RangeSearchResult> found = csls_.targets_.search.own().range_search(
        batch_.queries, halves, offsets, std::max(kMostCandidates, batch_.targets.rows()));
    if (!csls_.targets_.rows().all(found.has_value())) return false;
    ThreadPool::current().for_chunks(open_.size(), 1, [&](std::size_t i, std::size_t, int) {
      std::vector<WordId> known, unknown;
      for (const ScoredRow& row : found->of(i))
        (csls_.means_.known(number(row.id)) ? known : unknown).push_back(row.id);
      lists_[i] = rank_known(i, known);
      const auto row_at = [&](std::size_t j) { return batch_.targets.row(unknown[j]).data(); };
      visit_prefetched(unknown.size(), batch_.targets.cols(), row_at, [&](std::size_t j) {
        const OpenTarget target = bound_by_landmark(batch_, csls_.bounds_, i, landmarks_.row(i), unknown[j]);
        if (target.upper_bound >= std::max(thresholds_[i], lists_[i].threshold())) open_[i].push_back(target);
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
    share_thresholds();
    for (std::size_t i = 0; i < open_.size(); ++i) {
      prune_targets(open_[i], thresholds_[i]);
      sort_by_upper_bound(open_[i]);
    }
  }

  void refine(std::size_t portions) {
    refine_in_portions(
        open_, lists_, portions, {csls_.targets_.rows(), count_},
        [&](std::vector<WordId> targets) { csls_.learn(std::move(targets)); },
        [&](std::size_t query, WordId place) {
          return csls_.means_.known(number(place)) ? std::optional(score(query, place)) : std::nullopt;
        });
  }

  LazyCsls& csls_;
  std::size_t count_;
  RowShards shards_;                 // of the targets
  FetchedRows fetched_;              // source words
  CslsBatch batch_;                  // with the own targets
  Matrix landmarks_;                 // of each query
  std::vector<TopK<double>> lists_;  // of the own candidates whose r_s is known, by number
  std::vector<double> thresholds_;   // of all processes
  OpenTargets open_;                 // the others, by place
};

/// Where the source words near a batch may be more than fit, a batch is smaller.
std::size_t LazyCsls::queries_at_once() const {
  constexpr std::size_t kFetchedBytes = std::size_t{256} << 20;
  const std::size_t bytes = sources_.own().cols() * sizeof(float);
  if (sources_.rows().is_whole() || sources_.rows().rows * bytes <= kFetchedBytes) return kBatch;
  return std::clamp(kFetchedBytes / (std::max(kNear, k_) * bytes), kLeastBatch, kBatch);
}

std::optional<Candidates> LazyCsls::best(ConstMatrixView queries, std::size_t count) {
  if (sources_.norms.eligible == 0) return std::nullopt;  // no source word has a vector: there is nothing to bound
  // Products that may overflow bound nothing.
  if (!(mean_slack(queries.cols(), k_, sources_.norms.largest, targets_.norms.largest) < kUnbounded))
    return std::nullopt;
  count = std::min(count, targets_.norms.eligible);
  std::vector<TopK<double>> lists;
  if (count == 0) {
    lists.resize(queries.rows());
    return to_candidates(lists, 0);
  }
  for (std::size_t begin = 0, at_once = queries_at_once(); begin < queries.rows();) {
    const std::size_t end = std::min(begin + at_once, queries.rows());
    const bool remembering = &memory_ != &own_memory_ && end - begin == queries.rows();  // of all of them, or of none
    std::optional<std::vector<TopK<double>>> ranked = Batch(*this, queries.slice(begin, end), count).run(remembering);
    if (ranked) {
      for (TopK<double>& list : *ranked) lists.push_back(std::move(list));
      begin = end;
    } else if (end - begin > kLeastBatch) {
      at_once = std::max(kLeastBatch, (end - begin) / 4);  // in a huge table, what is much for many may do for few
    } else {
      return std::nullopt;
    }
  }
  return to_candidates(lists, count);
}

namespace {

/// Words that ask for more than one of so many targets want r_s of most of them.
constexpr std::size_t kTargetsOfWord = 8;
/// A word is looked for on both sides, and so are some targets for it.
constexpr std::size_t kQueriesOfWord = 3;

}  // namespace

MovingCsls::MovingCsls(UnitRows targets, std::vector<WordId> words, std::size_t k)
    : targets_(std::move(targets)),
      words_(std::move(words)),
      k_(k),
      target_search_(targets_.rows(), kQueriesOfWord * words_.size()),
      memory_(targets_.size()) {}

Candidates MovingCsls::best(const UnitRows& sources, std::size_t count) {
  const Matrix queries = gather_rows(sources.rows(), words_);
  if (kTargetsOfWord * words_.size() * count <= targets_.size()) {
    const TableSearch source_search(sources.rows(), kQueriesOfWord * words_.size());
    NeighborhoodMeans means(targets_.rows(), source_search, k_);
    LazyCsls lazy(source_search, target_search_, means, k_, &memory_);
    if (std::optional<Candidates> found = lazy.best(queries, count)) return std::move(*found);
  }
  return Csls(CommonSpace(sources, targets_), {.neighbors = k_, .statistics = CslsOptions::Statistics::full})
      .best(queries, count);
}

}  // namespace wordbridge
