#include "wordbridge/retrieval/lazy_csls.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>

#include "wordbridge/linalg/blas.h"
#include "wordbridge/neighbors/kernel_choice.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/parallel/thread_pool.h"
#include "wordbridge/retrieval/gather.h"
#include "wordbridge/retrieval/ranked_targets.h"

namespace wordbridge {

namespace {

constexpr std::size_t kBatch = 4096;         // queries at once
constexpr std::size_t kNear = 512;           // source words for the fine bounds
constexpr std::size_t kNearFirst = 64;       // of these, for a first look at many targets
constexpr std::size_t kFirstTargets = 64;    // targets looked at for a first threshold
constexpr std::size_t kTargetBlock = 512;    // targets of a matrix product
constexpr std::size_t kLandmarkBlock = 256;  // landmarks of a matrix product
constexpr std::size_t kQueryBlock = 64;      // queries of a scan
/// A block of queries has at most this many candidates whatever the bounds are worth: 32 MB.
constexpr std::size_t kListEntries = std::size_t{1} << 23;
/// Candidates of all queries together that are still worth a lazy computation.
constexpr std::size_t kMostCandidates = std::size_t{1} << 23;

double largest_norm(ConstMatrixView table) {
  constexpr std::size_t kRows = 4096;
  std::vector<double> norms((table.rows() + kRows - 1) / kRows);
  ThreadPool::shared().for_chunks(table.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      norms[begin / kRows] = std::max(norms[begin / kRows], norm_above(table.row(i).data(), table.cols()));
  });
  return norms.empty() ? 0 : *std::max_element(norms.begin(), norms.end());
}

/// The mean of the k largest values; k <= values.size().
double mean_of_largest(std::span<const float> values, std::size_t k, std::vector<float>& heap) {
  heap.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k));
  std::make_heap(heap.begin(), heap.end(), std::greater<>());
  for (const float value : values.subspan(k)) {
    if (value <= heap.front()) continue;
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    heap.back() = value;
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  }
  double sum = 0;
  for (const float value : heap) sum += value;
  return sum / static_cast<double>(k);
}

}  // namespace

LazyCsls::LazyCsls(TableSearch& sources, TableSearch& targets, NeighborhoodMeans& means, std::size_t k)
    : sources_(sources),
      targets_(targets),
      means_(means),
      k_(k),
      lower_(targets.table().rows(), -std::numeric_limits<float>::infinity()),
      is_zero_(targets.table().rows()),
      largest_source_(largest_norm(sources.table())),
      largest_target_(largest_norm(targets.table())) {
  const ConstMatrixView table = targets.table();
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto row = table.row(i);
    is_zero_[i] = std::all_of(row.begin(), row.end(), [](float value) { return value == 0; });
    eligible_ += is_zero_[i] == 0;
  }
}

/// lower_[y] = max(lower_[y], max over landmarks a of <a, y> - slack).
void LazyCsls::raise_lower_bounds(ConstMatrixView landmarks, double slack) {
  const ConstMatrixView table = targets_.table();
  ThreadPool& pool = ThreadPool::shared();
  std::vector<Matrix> products(static_cast<std::size_t>(pool.size()));
  pool.for_chunks(table.rows(), kTargetBlock, [&](std::size_t begin, std::size_t end, int worker) {
    Matrix& memory = products[static_cast<std::size_t>(worker)];
    if (memory.empty()) memory = Matrix::uninitialized(kLandmarkBlock, kTargetBlock);
    std::vector<float> largest(end - begin, -std::numeric_limits<float>::infinity());
    for (std::size_t first = 0; first < landmarks.rows(); first += kLandmarkBlock) {
      const std::size_t rows = std::min(kLandmarkBlock, landmarks.rows() - first);
      const MatrixView product(memory.data(), rows, end - begin, kTargetBlock);
      multiply_abt_into(landmarks.slice(first, first + rows), table.slice(begin, end), product);
      for (std::size_t i = 0; i < rows; ++i) {
        const float* values = product.row(i).data();
        for (std::size_t j = 0; j < largest.size(); ++j) largest[j] = std::max(largest[j], values[j]);
      }
    }
    for (std::size_t j = 0; j < largest.size(); ++j)
      lower_[begin + j] = std::max(lower_[begin + j], float_below(largest[j] - slack));
  });
}

/// Some queries on their way to their lists.
class LazyCsls::Batch {
 public:
  Batch(LazyCsls& csls, ConstMatrixView queries, std::size_t count)
      : csls_(csls),
        queries_(queries),
        sources_(csls.sources_.table()),
        targets_(csls.targets_.table()),
        count_(count),
        near_(csls.sources_.search(queries, std::max(kNear, csls.k_))),
        top_(csls.targets_.search(queries, std::max({kFirstTargets, csls.k_, 2 * count}))),
        k_(std::min(csls.k_, near_.found)) {
    const std::size_t d = queries.cols();
    const double similarity = csls.largest_source_ * csls.largest_target_;
    // r_s(y) is the mean of k float scores of s and y, the largest. Each fp32 product of the fine bounds is within
    // fp32_slack(d) of such a score. For the coarse bounds, <A, y> in real numbers is the mean of the real products,
    // each within a rounding u of the float score; A was rounded to float (u |A| |y|, |A| <= max|s|); and the fp32
    // product is within fp32_slack(d): together less than fp32_slack(d + 4). Sums of k doubles lose k 2^-53.
    mean_slack_ = fp32_slack(d + 4, similarity) + static_cast<double>(k_ + 4) * 0x1.0p-52 * similarity;
    for (std::size_t i = 0; i < queries.rows(); ++i) {
      const auto scores = top_.scores_of(i);
      query_means_.push_back(mean_score(scores.first(std::min(csls.k_, scores.size()))));
      const double cosine = norm_above(queries.row(i).data(), d) * csls.largest_target_;
      // Of 2 <q, y>, and of the few roundings in double on the way to the score.
      slacks_.push_back(2 * fp32_slack(d, cosine) + 0x1.0p-48 * (cosine + similarity));
    }
  }

  /// Nothing where the bounds leave so many candidates that the full computation is less work.
  std::optional<std::vector<RankedTargets>> run(Progress& progress) {
    csls_.raise_lower_bounds(landmarks(), mean_slack_);
    const std::vector<double> thresholds = first_thresholds(progress);
    const std::optional<std::vector<std::vector<WordId>>> candidates = find_candidates(thresholds);
    if (!candidates) return std::nullopt;
    learn(*candidates, progress);
    std::vector<RankedTargets> lists;
    for (std::size_t i = 0; i < queries_.rows(); ++i) lists.push_back(rank(i, (*candidates)[i]));
    return lists;
  }

 private:
  /// A(q): for each query the mean of the k source words nearest to it.
  Matrix landmarks() const {
    const std::size_t d = queries_.cols();
    Matrix result(queries_.rows(), d);
    ThreadPool::shared().for_chunks(queries_.rows(), kQueryBlock, [&](std::size_t begin, std::size_t end, int) {
      std::vector<double> sum(d);
      for (std::size_t i = begin; i < end; ++i) {
        std::fill(sum.begin(), sum.end(), 0);
        for (const std::uint32_t id : near_.ids_of(i).first(k_)) {
          const auto row = sources_.row(id);
          for (std::size_t j = 0; j < d; ++j) sum[j] += row[j];
        }
        for (std::size_t j = 0; j < d; ++j) result(i, j) = static_cast<float>(sum[j] / static_cast<double>(k_));
      }
    });
    return result;
  }

  double score(std::size_t query, WordId id) const {
    const double cosine = exact_score(queries_.row(query).data(), targets_.row(id).data(), queries_.cols());
    return 2 * cosine - (query_means_[query] + csls_.means_[id]);
  }

  /// The best of some targets, of which only the known ones count.
  RankedTargets rank(std::size_t query, std::span<const WordId> ids) const {
    RankedTargets list(count_);
    for (const WordId id : ids)
      if (csls_.means_.known(id)) list.offer(score(query, id), id);
    return list;
  }

  void learn(const std::vector<std::vector<WordId>>& lists, Progress& progress) {
    std::vector<WordId> all;
    for (const std::vector<WordId>& list : lists) all.insert(all.end(), list.begin(), list.end());
    csls_.means_.learn(std::move(all), progress);
  }

  /// No target scores more for the query than this; `near` of its source words are looked at.
  std::vector<double> upper_bounds(std::size_t query, std::span<const WordId> ids, std::size_t near) const {
    near = std::min(std::max(near, k_), near_.found);
    std::vector<double> bounds;
    bounds.reserve(ids.size());
    const Matrix words = gather_rows(sources_, near_.ids_of(query).first(near));
    Matrix products = Matrix::uninitialized(std::min(ids.size(), kTargetBlock), near);
    Matrix cosines = Matrix::uninitialized(1, products.rows());
    std::vector<float> heap;
    for (std::size_t begin = 0; begin < ids.size(); begin += kTargetBlock) {
      const std::span<const WordId> block = ids.subspan(begin, std::min(kTargetBlock, ids.size() - begin));
      const Matrix rows = gather_rows(targets_, block);
      multiply_abt_into(rows, words, products.view().slice(0, block.size()));
      multiply_abt_into(queries_.slice(query, query + 1), rows, {cosines.data(), 1, block.size()});
      for (std::size_t i = 0; i < block.size(); ++i) {
        const double fine = mean_of_largest(products.row(i), k_, heap) - mean_slack_;
        const double mean = std::max<double>(fine, csls_.lower_[block[i]]);
        bounds.push_back(2.0 * cosines(0, i) - (query_means_[query] + mean) + slacks_[query]);
      }
    }
    return bounds;
  }

  /// For each query a score that `count` targets reach: of its nearest targets, those with the best bounds get their
  /// exact r_s, which is needed anyway for nearly all of them.
  std::vector<double> first_thresholds(Progress& progress) {
    std::vector<std::vector<WordId>> chosen(queries_.rows());
    ThreadPool::shared().for_chunks(queries_.rows(), 1, [&](std::size_t query, std::size_t, int) {
      const auto ids = top_.ids_of(query);
      const std::vector<double> bounds = upper_bounds(query, ids, kNear);
      RankedTargets ranked(count_);
      for (std::size_t i = 0; i < ids.size(); ++i) ranked.offer(bounds[i], ids[i]);
      for (const RankedTargets::Entry& entry : ranked.sorted()) chosen[query].push_back(entry.id);
    });
    learn(chosen, progress);
    std::vector<double> thresholds;
    for (std::size_t i = 0; i < queries_.rows(); ++i) thresholds.push_back(rank(i, top_.ids_of(i)).threshold());
    return thresholds;
  }

  /// For each query all targets that may reach its threshold.
  std::optional<std::vector<std::vector<WordId>>> find_candidates(const std::vector<double>& thresholds) const {
    std::vector<std::vector<WordId>> candidates(queries_.rows());
    std::atomic<std::size_t> total = 0;
    const std::size_t block = std::clamp<std::size_t>(kListEntries / targets_.rows(), 1, kQueryBlock);
    ThreadPool::shared().for_chunks(queries_.rows(), block, [&](std::size_t begin, std::size_t end, int) {
      if (total > kMostCandidates) return;
      std::vector<std::vector<WordId>> coarse = scan(begin, end, thresholds);
      for (std::size_t i = begin; i < end; ++i) {
        candidates[i] = thin_out(i, std::move(coarse[i - begin]), thresholds[i]);
        total += candidates[i].size();
      }
    });
    return total > kMostCandidates ? std::nullopt : std::optional(std::move(candidates));
  }

  /// For each query of [begin, end) the targets whose coarse bound reaches its threshold.
  std::vector<std::vector<WordId>> scan(std::size_t begin, std::size_t end,
                                        const std::vector<double>& thresholds) const {
    std::vector<std::vector<WordId>> candidates(end - begin);
    Matrix memory = Matrix::uninitialized(end - begin, kTargetBlock);
    std::vector<std::uint32_t> passed(kTargetBlock);
    for (std::size_t first = 0; first < targets_.rows(); first += kTargetBlock) {
      const std::size_t rows = std::min(kTargetBlock, targets_.rows() - first);
      const MatrixView products(memory.data(), end - begin, rows, kTargetBlock);
      multiply_abt_into(queries_.slice(begin, end), targets_.slice(first, first + rows), products);
      for (std::size_t i = begin; i < end; ++i) {
        float* values = products.row(i - begin).data();
        // In float: the doubling is exact, and the difference loses at most a rounding of its own size.
        for (std::size_t j = 0; j < rows; ++j) values[j] = 2 * values[j] - csls_.lower_[first + j];
        const double wanted = thresholds[i] + query_means_[i] - slacks_[i];
        const float limit = float_below(wanted - 2 * kFloatRoundoff * std::abs(wanted));
        const std::size_t count = kernels().select_not_below(values, rows, limit, passed.data());
        for (std::size_t p = 0; p < count; ++p)
          if (!csls_.is_zero_[first + passed[p]])
            candidates[i - begin].push_back(static_cast<WordId>(first + passed[p]));
      }
    }
    return candidates;
  }

  /// Without the targets whose r_s is not known and whose fine bound is below the threshold.
  std::vector<WordId> thin_out(std::size_t query, std::vector<WordId> ids, double threshold) const {
    for (const std::size_t near : {kNearFirst, kNear}) {
      std::vector<WordId> kept, unknown;
      for (const WordId id : ids) (csls_.means_.known(id) ? kept : unknown).push_back(id);
      const std::vector<double> bounds = upper_bounds(query, unknown, near);
      for (std::size_t i = 0; i < unknown.size(); ++i)
        if (bounds[i] >= threshold) kept.push_back(unknown[i]);
      ids = std::move(kept);
    }
    return ids;
  }

  LazyCsls& csls_;
  ConstMatrixView queries_, sources_, targets_;
  std::size_t count_;
  Neighbors near_;  // source words nearest to each query
  Neighbors top_;   // targets nearest to each query
  std::size_t k_;   // source words that a mean is over
  double mean_slack_ = 0;
  std::vector<double> query_means_;  // r_t(q)
  std::vector<double> slacks_;       // for each query
};

std::optional<Candidates> LazyCsls::best(ConstMatrixView queries, std::size_t count, Progress& progress) {
  if (largest_source_ == 0) return std::nullopt;  // no source word has a vector: there is nothing to bound
  count = std::min(count, eligible_);
  std::vector<RankedTargets> lists;
  if (count == 0) {
    lists.resize(queries.rows());
    return to_candidates(lists, 0);
  }
  for (std::size_t begin = 0; begin < queries.rows(); begin += kBatch) {
    Batch batch(*this, queries.slice(begin, std::min(begin + kBatch, queries.rows())), count);
    std::optional<std::vector<RankedTargets>> ranked = batch.run(progress);
    if (!ranked) return std::nullopt;
    for (RankedTargets& list : *ranked) lists.push_back(std::move(list));
  }
  return to_candidates(lists, count);
}

}  // namespace wordbridge
