#include "retrieval/csls/csls_memory.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"
#include "search/blas_search.h"
#include "search/kernels/kernel_choice.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSampleStride = 16;  // one source word of so many tells what is near

/// The best `count` of some rows, the `first` best of these in front.
void keep_best(std::vector<ScoredRow>& rows, std::size_t first, std::size_t count) {
  for (const std::size_t kept : {count, first})
    if (kept < rows.size()) {
      std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end(),
                       [](const ScoredRow& a, const ScoredRow& b) { return a.better_than(b); });
      if (kept == count) rows.resize(count);
    }
}

/// Which score about `wanted` rows of the sample reach, for each query; minus infinity where it has fewer.
std::vector<double> sampled_thresholds(const ShardedRows& table, std::size_t stride, ConstMatrixView queries,
                                       std::size_t wanted) {
  std::vector<WordId> sampled;
  for (std::size_t row = 0; row < table.own.rows(); row += stride) sampled.push_back(static_cast<WordId>(row));
  const Matrix sample = gather_rows(table.own, sampled);
  Neighbors best = BlasSearch(sample).search(queries, wanted);
  if (!table.is_whole()) best = merge_neighbors(best, wanted, *table.communicator);
  std::vector<double> thresholds(queries.rows(), -std::numeric_limits<double>::infinity());
  if (best.found == wanted)
    for (std::size_t i = 0; i < queries.rows(); ++i) thresholds[i] = best.scores_of(i).back();
  return thresholds;
}

}  // namespace

std::vector<std::vector<WordId>> near_words(const ShardedSearch& sources, ConstMatrixView queries, std::size_t k,
                                            std::size_t first, std::size_t count, std::size_t most) {
  struct Near {
    ScoredRow row;
    std::uint32_t query;
  };
  const ShardedRows& table = sources.table();
  const std::size_t stride = table.rows < 2 * kSampleStride * count ? 1 : kSampleStride;
  const std::vector<double> thresholds = sampled_thresholds(table, stride, queries, std::max(k, count / stride));
  std::vector<std::vector<WordId>> result(queries.rows());
  const std::optional<RangeSearchResult> found = sources.own().range_search(queries, thresholds, {}, most);
  if (!table.all(found.has_value())) {  // too many are equally near
    const Neighbors nearest = sources.search(queries, count);
    for (std::size_t i = 0; i < queries.rows(); ++i)
      result[i].assign(nearest.ids_of(i).begin(), nearest.ids_of(i).end());
    return result;
  }
  std::vector<std::vector<ScoredRow>> rows(queries.rows());
  ThreadPool::current().for_chunks(queries.rows(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      rows[i].assign(found->of(i).begin(), found->of(i).end());
      keep_best(rows[i], first, count);
    }
  });
  if (!table.is_whole()) {
    const RowShards shards = table.shards();
    std::vector<Near> mine;
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      for (const ScoredRow& row : std::exchange(rows[i], {}))
        mine.push_back({{row.score, static_cast<std::uint32_t>(shards.number(row.id))}, i});
    for (const auto& part : table.exchange(std::move(mine)))
      for (const Near& near : part) rows[near.query].push_back(near.row);
    for (auto& near : rows) keep_best(near, first, count);
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const ScoredRow& row : rows[i]) result[i].push_back(row.id);
  return result;
}

namespace {

/// The words of a list with repetitions, those that are in it most often first, then those that come first.
std::vector<WordId> by_frequency(std::span<const WordId> list) {
  struct Entry {
    WordId id;
    std::uint32_t position, times;
  };
  std::vector<Entry> entries;
  for (const WordId id : list) entries.push_back({id, static_cast<std::uint32_t>(entries.size()), 1});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.id < b.id || (a.id == b.id && a.position < b.position); });
  std::size_t kept = 0;
  for (const Entry& entry : entries) {
    if (kept > 0 && entries[kept - 1].id == entry.id) {
      ++entries[kept - 1].times;
    } else {
      entries[kept++] = entry;
    }
  }
  entries.resize(kept);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.times > b.times || (a.times == b.times && a.position < b.position);
  });
  std::vector<WordId> result;
  result.reserve(entries.size());
  for (const Entry& entry : entries) result.push_back(entry.id);
  return result;
}

}  // namespace

void NearestSources::add(WordId target, std::span<const WordId> nearest) {
  if (nearest.size() > count_[target]) {
    begin_[target] = static_cast<std::uint32_t>(words_.size());
    words_.resize(words_.size() + nearest.size());
  }
  count_[target] = static_cast<std::uint32_t>(nearest.size());
  std::ranges::copy(nearest, words_.begin() + begin_[target]);
}

std::vector<std::vector<WordId>> source_pools(const Neighbors& targets, const NearestSources& known,
                                              const std::vector<std::vector<WordId>>& near, std::size_t k) {
  std::vector<std::vector<WordId>> pools(targets.queries);
  ThreadPool::current().for_chunks(targets.queries, kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    std::vector<WordId> words;
    for (std::size_t i = begin; i < end; ++i) {
      words.clear();
      for (const WordId target : targets.ids_of(i)) {
        const std::span<const WordId> nearest = known.of(target);
        words.insert(words.end(), nearest.begin(), nearest.end());
      }
      pools[i] = by_frequency(words);
      if (pools[i].size() < k) pools[i] = near[i];  // others have computed r_s of the targets, and kept no neighbors
    }
  });
  return pools;
}

namespace {

constexpr std::size_t kTargetsOfTask = 512;

}  // namespace

void CslsMemory::forget_queries() {
  near.clear();
  pools.clear();
  top = {};
  best = {};
}

void raise_by_memory(const CslsBatch& batch, const CslsMemory& memory, ConstMatrixView own_landmarks,
                     MeanBounds& bounds) {
  const std::size_t d = batch.targets.cols();
  const auto exact = kernels().score->exact_score;
  ThreadPool::current().for_chunks(batch.targets.rows(), kTargetsOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t y = begin; y < end; ++y) {
      const float* row = batch.targets.row(y).data();
      const std::span<const WordId> nearest = memory.nearest.of(static_cast<WordId>(y));
      if (nearest.size() < batch.k) {
        if (memory.landmark_of.empty()) continue;
        const double product = exact(own_landmarks.row(memory.landmark_of[y]).data(), row, d);
        bounds.mean[y] = std::max(bounds.mean[y], float_below(product - batch.mean_slack));
        continue;
      }
      double sum = 0;
      float least = std::numeric_limits<float>::infinity();
      for (const WordId source : nearest.first(batch.k)) {
        const float score = exact(batch.sources.row(source).data(), row, d);
        sum += score;
        least = std::min(least, score);
      }
      bounds.mean[y] = std::max(bounds.mean[y], float_below(sum / static_cast<double>(batch.k) - batch.mean_slack));
      bounds.kth_score[y] = std::max(bounds.kth_score[y], least);
    }
  });
}

}  // namespace wordbridge
