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
constexpr std::size_t kQueryBlock = 256;     // queries of a scan, at most
constexpr std::size_t kLeastPortion = 64;    // rows that are worth a search
/// Candidates of a scan, and of all queries together, that are still worth a lazy computation: 32 MB.
constexpr std::size_t kMostCandidates = std::size_t{1} << 23;

/// What the bounds need to know of the rows of a table.
struct RowNorms {
  double largest = 0;                 // at least the largest norm
  std::vector<std::uint8_t> is_zero;  // for each row
};

RowNorms measure(ConstMatrixView table) {
  constexpr std::size_t kRows = 4096;
  RowNorms result;
  result.is_zero.resize(table.rows());
  std::vector<double> squares((table.rows() + kRows - 1) / kRows);
  ThreadPool::shared().for_chunks(table.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    double& largest = squares[begin / kRows];
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = table.row(i);
      result.is_zero[i] = std::all_of(row.begin(), row.end(), [](float value) { return value == 0; });
      if (result.is_zero[i]) continue;
      // A score is off by less than two roundings, or by a denormal.
      const double square = exact_score(row.data(), row.data(), row.size());
      largest = std::max(largest, square * (1 + 2 * kFloatRoundoff) + 0x1.0p-149);
    }
  });
  for (const double square : squares) result.largest = std::max(result.largest, std::sqrt(square) * (1 + 0x1.0p-50));
  return result;
}

/// The mean of the k largest values; k <= values.size(). Keeps its memory from one call to the next.
class LargestMean {
 public:
  explicit LargestMean(std::size_t k) : heap_(k) {}

  double operator()(std::span<const float> values) {
    std::copy_n(values.begin(), heap_.size(), heap_.begin());
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
    for (const float value : values.subspan(heap_.size())) {
      if (value <= heap_.front()) continue;
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.back() = value;
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    double sum = 0;
    for (const float value : heap_) sum += value;
    return sum / static_cast<double>(heap_.size());
  }

 private:
  std::vector<float> heap_;  // its front is the smallest
};

}  // namespace

LazyCsls::LazyCsls(TableSearch& sources, TableSearch& targets, NeighborhoodMeans& means, std::size_t k)
    : sources_(sources),
      targets_(targets),
      means_(means),
      k_(k),
      lower_(targets.table().rows(), -std::numeric_limits<float>::infinity()),
      largest_source_(measure(sources.table()).largest) {
  RowNorms norms = measure(targets.table());
  largest_target_ = norms.largest;
  is_zero_ = std::move(norms.is_zero);
  eligible_ = static_cast<std::size_t>(std::count(is_zero_.begin(), is_zero_.end(), 0));
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
    // each within a rounding u of the float score; A was rounded to float (u |A| |y|, |A| <= max|s|, or denormals); and
    // the fp32 product is within fp32_slack(d): together less than fp32_slack(d + 4). Sums of k doubles lose k 2^-53.
    mean_slack_ = fp32_slack(d + 4, similarity) + static_cast<double>(k_ + 4) * 0x1.0p-52 * similarity +
                  static_cast<double>(d) * 0x1.0p-149 * csls.largest_target_;
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
    learn(most_promising(), progress);
    for (std::size_t i = 0; i < queries_.rows(); ++i) thresholds_.push_back(rank(i, top_.ids_of(i)).threshold());
    if (!find_candidates()) return std::nullopt;
    for (std::size_t i = 0; i < queries_.rows(); ++i) lists_.push_back(rank(i, known_[i]));
    settle(progress);
    return std::move(lists_);
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

  void learn(std::vector<WordId> ids, Progress& progress) { csls_.means_.learn(std::move(ids), progress); }

  /// No target scores more for the query than this; `near` of its source words are looked at.
  std::vector<double> upper_bounds(std::size_t query, std::span<const WordId> ids, std::size_t near) const {
    near = std::min(std::max(near, k_), near_.found);
    std::vector<double> bounds;
    bounds.reserve(ids.size());
    const Matrix words = gather_rows(sources_, near_.ids_of(query).first(near));
    Matrix products = Matrix::uninitialized(std::min(ids.size(), kTargetBlock), near);
    Matrix cosines = Matrix::uninitialized(1, products.rows());
    LargestMean largest_mean(k_);
    for (std::size_t begin = 0; begin < ids.size(); begin += kTargetBlock) {
      const std::span<const WordId> block = ids.subspan(begin, std::min(kTargetBlock, ids.size() - begin));
      const Matrix rows = gather_rows(targets_, block);
      multiply_abt_into(rows, words, products.view().slice(0, block.size()));
      multiply_abt_into(queries_.slice(query, query + 1), rows, {cosines.data(), 1, block.size()});
      for (std::size_t i = 0; i < block.size(); ++i) {
        const double fine = largest_mean(products.row(i)) - mean_slack_;
        const double mean = std::max<double>(fine, csls_.lower_[block[i]]);
        bounds.push_back(2.0 * cosines(0, i) - (query_means_[query] + mean) + slacks_[query]);
      }
    }
    return bounds;
  }

  /// Of the targets nearest to each query, the `count` with the best bounds: nearly all of their r_s are needed anyway,
  /// and then give thresholds.
  std::vector<WordId> most_promising() const {
    std::vector<RankedTargets> chosen(queries_.rows(), RankedTargets(count_));
    ThreadPool::shared().for_chunks(queries_.rows(), 1, [&](std::size_t query, std::size_t, int) {
      const auto ids = top_.ids_of(query);
      const std::vector<double> bounds = upper_bounds(query, ids, kNear);
      for (std::size_t i = 0; i < ids.size(); ++i) chosen[query].offer(bounds[i], ids[i]);
    });
    std::vector<WordId> ids;
    for (const RankedTargets& list : chosen)
      for (const RankedTargets::Entry& entry : list.sorted()) ids.push_back(entry.id);
    return ids;
  }

  /// For each query all targets that may reach its threshold: those whose r_s is known, and the open ones with their
  /// bounds. False where they are too many.
  bool find_candidates() {
    known_.resize(queries_.rows());
    open_.resize(queries_.rows());
    std::atomic<std::size_t> total = 0;
    // A scan is given up where its queries have a quarter of all targets as candidates.
    const std::size_t block = std::clamp<std::size_t>(4 * kMostCandidates / targets_.rows(), 1, kQueryBlock);
    const std::size_t most = std::max(kMostCandidates, targets_.rows());
    ThreadPool::shared().for_chunks(queries_.rows(), block, [&](std::size_t begin, std::size_t end, int) {
      if (total > most) return;
      const std::vector<std::vector<WordId>> coarse = scan(begin, end, most);
      if (coarse.empty()) total += most + 1;
      for (std::size_t i = begin; i < begin + coarse.size(); ++i) {
        std::vector<WordId> unknown;
        for (const WordId id : coarse[i - begin]) (csls_.means_.known(id) ? known_[i] : unknown).push_back(id);
        open_[i] = thin_out(i, std::move(unknown));
        total += known_[i].size() + open_[i].size();
      }
    });
    return total <= most;
  }

  /// For each query of [begin, end) the targets whose coarse bound reaches its threshold; nothing at all where they
  /// would be more than `most`.
  std::vector<std::vector<WordId>> scan(std::size_t begin, std::size_t end, std::size_t most) const {
    std::vector<std::vector<WordId>> candidates(end - begin);
    std::size_t total = 0;
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
        const double wanted = thresholds_[i] + query_means_[i] - slacks_[i];
        const float limit = float_below(wanted - 2 * kFloatRoundoff * std::abs(wanted));
        const std::size_t count = kernels().score->select_not_below(values, rows, limit, passed.data());
        for (std::size_t p = 0; p < count; ++p)
          if (!csls_.is_zero_[first + passed[p]])
            candidates[i - begin].push_back(static_cast<WordId>(first + passed[p]));
        total += count;
      }
      if (total > most) return {};
    }
    return candidates;
  }

  /// The targets whose fine bound reaches the threshold, best bound first.
  std::vector<RankedTargets::Entry> thin_out(std::size_t query, std::vector<WordId> ids) const {
    std::vector<RankedTargets::Entry> kept;
    for (const std::size_t near : {kNearFirst, kNear}) {
      const std::vector<double> bounds = upper_bounds(query, ids, near);
      kept.clear();
      for (std::size_t i = 0; i < ids.size(); ++i)
        if (bounds[i] >= thresholds_[query]) kept.push_back({bounds[i], ids[i]});
      ids.clear();
      for (const RankedTargets::Entry& entry : kept) ids.push_back(entry.id);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
  }

  /// Learns r_s of the open targets, best bounds first and in growing portions, because each raises the threshold that
  /// the others have to reach.
  void settle(Progress& progress) {
    for (std::size_t portion = 1 + kLeastPortion / queries_.rows();; portion *= 2) {
      std::vector<WordId> wanted;
      for (std::size_t i = 0; i < queries_.rows(); ++i) {
        std::erase_if(open_[i], [&](const RankedTargets::Entry& entry) { return entry.score < lists_[i].threshold(); });
        for (std::size_t j = 0; j < std::min(portion, open_[i].size()); ++j) wanted.push_back(open_[i][j].id);
      }
      if (wanted.empty()) return;
      learn(std::move(wanted), progress);
      for (std::size_t i = 0; i < queries_.rows(); ++i)
        std::erase_if(open_[i], [&](const RankedTargets::Entry& entry) {
          if (!csls_.means_.known(entry.id)) return false;
          lists_[i].offer(score(i, entry.id), entry.id);
          return true;
        });
    }
  }

  LazyCsls& csls_;
  ConstMatrixView queries_, sources_, targets_;
  std::size_t count_;
  Neighbors near_;  // source words nearest to each query
  Neighbors top_;   // targets nearest to each query
  std::size_t k_;   // source words that a mean is over
  double mean_slack_ = 0;
  std::vector<double> query_means_;                      // r_t(q)
  std::vector<double> slacks_;                           // of the upper bounds
  std::vector<double> thresholds_;                       // scores that `count` targets reach
  std::vector<std::vector<WordId>> known_;               // candidates whose r_s is known
  std::vector<std::vector<RankedTargets::Entry>> open_;  // the others, with upper bounds for scores
  std::vector<RankedTargets> lists_;
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
