#include "retrieval/gc/rank_bounds.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/pruning/clusters.h"
#include "search/rounding.h"
#include "space/nonzero_rows.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kClusterRows = 195, kMostClusters = 1024;  // on average
constexpr std::size_t kClustersTogether = 16;                    // whose pools are looked for at once
constexpr std::size_t kTargetsOfProduct = 256;                   // targets of a matrix product

/// What no score is below: tells nothing about targets that are in no cluster.
constexpr float kBelowAll = -1e30f;

/// 1, 2, 3, ..., 16, 18, 20, ..., 32, 36, ..., most: steps of an eighth at most, which is about what pools miss.
std::vector<std::uint32_t> levels_up_to(std::size_t most) {
  std::vector<std::uint32_t> levels;
  for (std::size_t level = 1; level < most; level += std::max<std::size_t>(1, std::bit_floor(level) / 8))
    levels.push_back(static_cast<std::uint32_t>(level));
  if (most > 0) levels.push_back(static_cast<std::uint32_t>(most));
  return levels;
}

/// The `count` rows with the largest products.
std::vector<WordId> pool_of(std::span<const float> products, std::size_t count, std::vector<float>& memory) {
  memory.assign(products.begin(), products.end());
  const auto kth = memory.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(memory.begin(), kth, memory.end(), std::greater<>());
  const float least = *kth;
  std::size_t ties =
      count - static_cast<std::size_t>(std::count_if(memory.begin(), kth, [&](float v) { return v > least; }));
  std::vector<WordId> ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < products.size(); ++i)
    if (products[i] > least || (products[i] == least && ties > 0)) {
      ties -= products[i] == least;
      ids.push_back(static_cast<WordId>(i));
    }
  return ids;
}

/// Pools of the clusters, as numbers of `sources` rows.
std::vector<std::vector<WordId>> pools_of(const Clusters& clusters, ConstMatrixView targets, ConstMatrixView sources,
                                          std::size_t pool) {
  const std::size_t count = clusters.starts.size() - 1, d = targets.cols();
  std::vector<std::vector<WordId>> pools(count);
  ThreadPool::current().for_chunks(count, kClustersTogether, [&](std::size_t begin, std::size_t end, int) {
    Matrix means(end - begin, d);
    for (std::size_t c = begin; c < end; ++c)
      for (const WordId y : clusters.at(c))
        for (std::size_t j = 0; j < d; ++j) means(c - begin, j) += targets(y, j);
    Matrix products = Matrix::uninitialized(end - begin, sources.rows());
    multiply_abt_into(means, sources, products);
    std::vector<float> memory;
    for (std::size_t c = begin; c < end; ++c) {
      Context::poll();
      if (!clusters.at(c).empty()) pools[c] = pool_of(products.row(c - begin), pool, memory);
    }
  });
  return pools;
}

/// The m-th largest of some values for several m, from a histogram: at most as large, and less by little.
class OrderStatistics {
 public:
  /// `most`: what no absolute value exceeds. The bins are the same for all values, so that nobody has to look for the
  /// least and the largest one first.
  explicit OrderStatistics(double most)
      : least_(-float_above(most)), scale_(static_cast<float>(kBins - 1) / (-2 * least_)), bins_(kBins) {}

  void count(std::span<const float> values) {
    std::ranges::fill(bins_, 0u);
    places_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      places_[i] = static_cast<std::int32_t>((values[i] - least_) * scale_);
    for (const std::int32_t place : places_) ++bins_[static_cast<std::size_t>(place)];
  }

  /// For ascending m = levels[l] calls tell(l, bound).
  template <typename Tell>
  void for_each(std::span<const std::uint32_t> levels, Tell tell) const {
    std::size_t bin = kBins, seen = 0;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      while (seen < levels[l]) seen += bins_[--bin];
      tell(l, lower_edge(bin));
    }
  }

 private:
  // (value - least) scale, in float, is off by at most three roundings of 2^-24 of itself, and below kBins by them; so
  // a value of bin b is at least least + b / scale less 2^-22 of the range.
  static constexpr std::size_t kBins = 2048;
  double lower_edge(std::size_t bin) const {
    return double{least_} + static_cast<double>(bin) / double{scale_} + 0x1.0p-19 * double{least_};
  }

  float least_, scale_;
  std::vector<std::uint32_t> bins_;
  std::vector<std::int32_t> places_;
};

}  // namespace

RankBounds::RankBounds(const UnitRows& sources, const UnitRows& targets, std::size_t pool) {
  assert(pool > 0);
  Stage stage("bounds of ranks");
  const NonzeroRows words(sources);
  const ConstMatrixView rows = words.rows();
  levels_ = levels_up_to(std::min(pool, rows.rows()));
  scores_ = Matrix::uninitialized(levels_.size(), targets.size());
  std::fill_n(scores_.data(), scores_.size(), kBelowAll);
  if (levels_.empty()) return;

  const std::size_t count = std::clamp<std::size_t>(targets.size() / kClusterRows, 1, kMostClusters);
  const Clusters clusters = assign_to_clusters(targets.rows(), sample_centroids(targets.rows(), count));
  const auto pools = pools_of(clusters, targets.rows(), rows, levels_.back());
  const double longest = sources.largest_norm() * targets.largest_norm();
  const double slack = fp32_slack(targets.dimension(), longest);
  ThreadPool::current().for_chunks(pools.size(), 1, [&](std::size_t c, std::size_t, int worker) {
    if (worker == 0) stage.update(c, pools.size());
    const std::span<const std::uint32_t> members = clusters.at(c);
    if (members.empty()) return;
    const Matrix near = gather_rows(rows, pools[c]);
    Matrix products = Matrix::uninitialized(std::min(kTargetsOfProduct, members.size()), near.rows());
    OrderStatistics statistics(longest + slack);
    for (std::size_t begin = 0; begin < members.size(); begin += kTargetsOfProduct) {
      Context::poll();
      const auto block = members.subspan(begin, std::min(kTargetsOfProduct, members.size() - begin));
      multiply_abt_into(gather_rows(targets.rows(), block), near, products.view().slice(0, block.size()));
      for (std::size_t i = 0; i < block.size(); ++i) {
        statistics.count(products.row(i));
        statistics.for_each(
            levels_, [&](std::size_t level, double bound) { scores_(level, block[i]) = float_below(bound - slack); });
      }
    }
  });
}

std::size_t RankBounds::least_rank(WordId target, float score) const {
  std::size_t low = 0, high = levels_.size();  // the first `low` are told, those from `high` on are not
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (score < scores_(middle, target))
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? 0 : levels_[low - 1];
}

}  // namespace wordbridge
