#include "wordbridge/retrieval/lazy_csls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/gather.h"
#include "wordbridge/neighbors/kernel_choice.h"
#include "wordbridge/neighbors/refine_candidates.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/neighbors/top_k_values.h"
#include "wordbridge/parallel/thread_pool.h"
#include "wordbridge/retrieval/near_words.h"
#include "wordbridge/retrieval/ranked_targets.h"

namespace wordbridge {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t kBatch = 4096;         // queries at once
constexpr std::size_t kNear = 512;           // source words for the fine bounds
constexpr std::size_t kNearPromising = 256;  // of these, for the targets nearest to a query
constexpr std::size_t kPool = 128;           // source words near targets, for a first look at many targets
constexpr std::size_t kFirstTargets = 64;    // targets looked at for a first threshold
constexpr std::size_t kTargetBlock = 512;    // targets of a matrix product
constexpr std::size_t kLandmarkBlock = 256;  // landmarks of a matrix product
constexpr std::size_t kLandmarks = 256;      // for the coarse bounds, at most
constexpr std::size_t kLeastPortion = 64;    // rows that are worth a search
constexpr std::size_t kEarlyPortions = 2;    // learned before the finest bounds are computed
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
/// Candidates of all queries together that are still worth a lazy computation: 64 MB.
constexpr std::size_t kMostCandidates = std::size_t{1} << 23;

/// What the bounds need to know of the rows of a table.
struct RowNorms {
  double largest = 0;        // at least the largest norm
  std::size_t eligible = 0;  // rows that are not zero
};

RowNorms measure(ConstMatrixView table) {
  constexpr std::size_t kRows = 4096;
  std::vector<RowNorms> parts((table.rows() + kRows - 1) / kRows);
  ThreadPool::current().for_chunks(table.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    RowNorms& part = parts[begin / kRows];
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = table.row(i);
      if (std::all_of(row.begin(), row.end(), [](float value) { return value == 0; })) continue;
      // A score is off by less than two roundings, or by a denormal.
      const double square = exact_score(row.data(), row.data(), row.size());
      part.largest = std::max(part.largest, std::sqrt(square * (1 + 2 * kFloatRoundoff) + 0x1.0p-149));
      ++part.eligible;
    }
  });
  RowNorms result;
  for (const RowNorms& part : parts) {
    result.largest = std::max(result.largest, part.largest * (1 + 0x1.0p-50));
    result.eligible += part.eligible;
  }
  return result;
}

}  // namespace

LazyCsls::LazyCsls(TableSearch& sources, TableSearch& targets, NeighborhoodMeans& means, std::size_t k)
    : sources_(sources),
      targets_(targets),
      means_(means),
      k_(k),
      lower_(targets.table().rows(), -std::numeric_limits<float>::infinity()),
      floors_(targets.table().rows(), -std::numeric_limits<float>::infinity()),
      nearest_at_(targets.table().rows()) {
  const RowNorms source_norms = measure(sources.table()), target_norms = measure(targets.table());
  eligible_sources_ = source_norms.eligible;
  largest_source_ = source_norms.largest;
  eligible_ = target_norms.eligible;
  largest_target_ = target_norms.largest;
}

void LazyCsls::learn(std::vector<WordId> targets) {
  means_.learn(std::move(targets), floors_, [&](WordId target, std::span<const std::uint32_t> nearest) {
    nearest_at_[target] = static_cast<std::uint32_t>(nearest_.size() + 1);
    nearest_.insert(nearest_.end(), nearest.begin(), nearest.end());
  });
}

/// Of a target that was learned here; otherwise none.
std::span<const WordId> LazyCsls::nearest_sources(WordId target) const {
  if (nearest_at_[target] == 0) return {};
  return std::span(nearest_).subspan(nearest_at_[target] - 1, std::min(k_, eligible_sources_));
}

/// lower_[y] = max(lower_[y], max over landmarks a of <a, y> - slack).
void LazyCsls::raise_lower_bounds(ConstMatrixView landmarks, double slack) {
  const ConstMatrixView table = targets_.table();
  ThreadPool& pool = ThreadPool::current();
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
        k_(std::min(csls.k_, csls.eligible_sources_)),
        near_(
            near_words(csls.sources_, queries, k_, std::max(kNearPromising, k_), std::max(kNear, k_), kMostCandidates)),
        top_(csls.targets_.search(queries, std::max({kFirstTargets, csls.k_, 2 * count}))) {
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
  std::optional<std::vector<RankedTargets>> run() {
    csls_.learn(most_promising());
    find_pools();
    learn_landmarks();
    for (std::size_t i = 0; i < queries_.rows(); ++i) thresholds_.push_back(rank(i, top_.ids_of(i)).threshold());
    if (!find_candidates()) return std::nullopt;
    // Few of the targets that the first look leaves open are still so when the best of them are learned.
    thin_out(pools_, kPool);
    settle(kEarlyPortions);
    thin_out(near_, kNear);
    settle(kUnlimited);
    return std::move(lists_);
  }

 private:
  /// The source words nearest to the targets near each query, as far as these are known: those of most targets first,
  /// then those of the nearest.
  void find_pools() {
    pools_.resize(queries_.rows());
    ThreadPool::current().for_chunks(queries_.rows(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
      struct Entry {
        WordId id;
        std::uint32_t place, times;
      };
      std::vector<Entry> entries;
      for (std::size_t i = begin; i < end; ++i) {
        entries.clear();
        for (const WordId target : top_.ids_of(i))
          for (const WordId id : csls_.nearest_sources(target))
            entries.push_back({id, static_cast<std::uint32_t>(entries.size()), 1});
        std::sort(entries.begin(), entries.end(),
                  [](const Entry& a, const Entry& b) { return a.id < b.id || (a.id == b.id && a.place < b.place); });
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
          return a.times > b.times || (a.times == b.times && a.place < b.place);
        });
        for (const Entry& entry : entries) pools_[i].push_back(entry.id);
        if (entries.size() < k_) pools_[i] = near_[i];  // others have learned the targets, and kept no neighbors
      }
    });
  }

  /// A(q): for each query the mean of the k first of its source words. Some serve all queries.
  void learn_landmarks() {
    const std::size_t d = queries_.cols();
    landmarks_ = Matrix::uninitialized(queries_.rows(), d);
    ThreadPool::current().for_chunks(queries_.rows(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
      std::vector<double> sum(d);
      for (std::size_t i = begin; i < end; ++i) {
        std::fill(sum.begin(), sum.end(), 0);
        for (const WordId id : std::span(pools_[i]).first(k_)) {
          const auto row = sources_.row(id);
          for (std::size_t j = 0; j < d; ++j) sum[j] += row[j];
        }
        for (std::size_t j = 0; j < d; ++j) landmarks_(i, j) = static_cast<float>(sum[j] / static_cast<double>(k_));
      }
    });
    std::vector<WordId> some;
    const std::size_t stride = (queries_.rows() + kLandmarks - 1) / kLandmarks;
    for (std::size_t i = 0; i < queries_.rows(); i += stride) some.push_back(static_cast<WordId>(i));
    csls_.raise_lower_bounds(gather_rows(landmarks_, some), mean_slack_);
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

  /// A target that may be among the best of a query: r_s is at least `mean`, so it scores at most `bound`.
  struct Open {
    double bound, mean;
    float floor;  // k source words score at least this with it
    WordId id;
  };

  std::span<const WordId> first_of(const std::vector<WordId>& ids, std::size_t count) const {
    return std::span(ids).first(std::min(std::max(count, k_), ids.size()));
  }

  /// The fine bounds of some targets, by these source words.
  std::vector<Open> fine_bounds(std::size_t query, std::span<const WordId> ids, std::span<const WordId> near) const {
    std::vector<Open> result;
    result.reserve(ids.size());
    const Matrix words = gather_rows(sources_, near);
    Matrix products = Matrix::uninitialized(std::min(ids.size(), kTargetBlock), near.size());
    Matrix cosines = Matrix::uninitialized(1, products.rows());
    TopKValues largest(k_);
    for (std::size_t begin = 0; begin < ids.size(); begin += kTargetBlock) {
      const std::span<const WordId> block = ids.subspan(begin, std::min(kTargetBlock, ids.size() - begin));
      const Matrix rows = gather_rows(targets_, block);
      multiply_abt_into(rows, words, products.view().slice(0, block.size()));
      multiply_abt_into(queries_.slice(query, query + 1), rows, {cosines.data(), 1, block.size()});
      for (std::size_t i = 0; i < block.size(); ++i) {
        largest.select(products.row(i));
        const double fine = largest.mean() - mean_slack_;
        const double mean = std::max<double>(fine, csls_.lower_[block[i]]);
        result.push_back({2.0 * cosines(0, i) - (query_means_[query] + mean) + slacks_[query], mean,
                          float_below(largest.kth() - mean_slack_), block[i]});
      }
    }
    return result;
  }

  /// What is learned of a target for one query serves all.
  void share_bounds() {
    for (const auto& targets : open_)
      for (const Open& open : targets) {
        csls_.lower_[open.id] = std::max(csls_.lower_[open.id], float_below(open.mean));
        csls_.floors_[open.id] = std::max(csls_.floors_[open.id], open.floor);
      }
    ThreadPool::current().for_chunks(queries_.rows(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i)
        for (Open& open : open_[i]) open.bound -= std::max(0.0, csls_.lower_[open.id] - open.mean);
    });
  }

  /// Of the targets nearest to each query, the `count` with the best bounds: nearly all of their r_s are needed anyway,
  /// and then give thresholds.
  std::vector<WordId> most_promising() {
    open_.resize(queries_.rows());
    ThreadPool::current().for_chunks(queries_.rows(), 1, [&](std::size_t i, std::size_t, int) {
      open_[i] = fine_bounds(i, top_.ids_of(i), first_of(near_[i], kNearPromising));
    });
    share_bounds();
    std::vector<WordId> ids;
    for (auto& targets : open_) {
      RankedTargets best(count_);
      for (const Open& open : targets) best.offer(open.bound, open.id);
      for (const RankedTargets::Entry& entry : best.sorted()) ids.push_back(entry.id);
      targets.clear();
    }
    return ids;
  }

  /// For each query all targets that may reach its threshold: those whose r_s is known, and the open ones with their
  /// bounds. False where they are too many.
  bool find_candidates() {
    // 2 <q, y> - lower(y) reaches threshold + r_t(q) only if <q, y> reaches half of that plus lower(y) / 2. Both sides
    // are floats or sums of doubles that lose less than the slack has for them; halving is exact, or off by a denormal.
    std::vector<double> thresholds;
    for (std::size_t i = 0; i < queries_.rows(); ++i)
      thresholds.push_back((thresholds_[i] + query_means_[i] - slacks_[i]) / 2 - 0x1.0p-149);
    std::vector<float> offsets;
    for (const float lower : csls_.lower_) offsets.push_back(lower / 2);
    const std::optional<RangeSearchResult> coarse =
        csls_.targets_.range_search(queries_, thresholds, offsets, std::max(kMostCandidates, targets_.rows()));
    if (!coarse) return false;
    lists_.resize(queries_.rows());
    ThreadPool::current().for_chunks(queries_.rows(), 1, [&](std::size_t i, std::size_t, int) {
      std::vector<WordId> known, unknown;
      for (const ScoredRow& row : coarse->of(i)) (csls_.means_.known(row.id) ? known : unknown).push_back(row.id);
      lists_[i] = rank(i, known);
      const auto row_at = [&](std::size_t j) { return targets_.row(unknown[j]).data(); };
      visit_prefetched(unknown.size(), targets_.cols(), row_at, [&](std::size_t j) {
        const Open open = bound_by_landmark(i, unknown[j]);
        if (open.bound >= lists_[i].threshold()) open_[i].push_back(open);
        return true;
      });
    });
    return true;
  }

  Open bound_by_landmark(std::size_t query, WordId id) const {
    const float* target = targets_.row(id).data();
    const std::size_t d = queries_.cols();
    const double cosine = kernels().score->exact_score(queries_.row(query).data(), target, d);
    const double fine = kernels().score->exact_score(landmarks_.row(query).data(), target, d) - mean_slack_;
    const double mean = std::max<double>(fine, csls_.lower_[id]);
    return {2 * cosine - (query_means_[query] + mean) + slacks_[query], mean, -std::numeric_limits<float>::infinity(),
            id};
  }

  /// Leaves the open targets whose fine bounds by these source words reach the thresholds, best bounds first.
  void thin_out(const std::vector<std::vector<WordId>>& words, std::size_t count) {
    ThreadPool::current().for_chunks(queries_.rows(), 1, [&](std::size_t i, std::size_t, int) {
      std::vector<WordId> ids;
      for (const Open& open : open_[i]) ids.push_back(open.id);
      open_[i] = fine_bounds(i, ids, first_of(words[i], count));
    });
    share_bounds();
    for (std::size_t i = 0; i < queries_.rows(); ++i) {
      drop_hopeless(i);
      std::sort(open_[i].begin(), open_[i].end(),
                [](const Open& a, const Open& b) { return a.bound > b.bound || (a.bound == b.bound && a.id < b.id); });
    }
  }

  void drop_hopeless(std::size_t i) {
    std::erase_if(open_[i], [&](const Open& open) { return open.bound < lists_[i].threshold(); });
  }

  /// Learns r_s of the open targets, best bounds first and in growing portions, because each raises the threshold that
  /// the others have to reach.
  void settle(std::size_t portions) {
    for (std::size_t portion = 1 + kLeastPortion / queries_.rows(); portions > 0; portion *= 2, --portions) {
      std::vector<WordId> wanted;
      for (std::size_t i = 0; i < queries_.rows(); ++i) {
        drop_hopeless(i);
        for (std::size_t j = 0; j < std::min(portion, open_[i].size()); ++j) wanted.push_back(open_[i][j].id);
      }
      if (wanted.empty()) return;
      csls_.learn(std::move(wanted));
      for (std::size_t i = 0; i < queries_.rows(); ++i)
        std::erase_if(open_[i], [&](const Open& open) {
          if (!csls_.means_.known(open.id)) return false;
          lists_[i].offer(score(i, open.id), open.id);
          return true;
        });
    }
    for (std::size_t i = 0; i < queries_.rows(); ++i) drop_hopeless(i);
  }

  LazyCsls& csls_;
  ConstMatrixView queries_, sources_, targets_;
  std::size_t count_;
  std::size_t k_;                          // source words that a mean is over
  std::vector<std::vector<WordId>> near_;  // source words near each query
  std::vector<std::vector<WordId>> pools_;
  Neighbors top_;     // targets nearest to each query
  Matrix landmarks_;  // A(q)
  double mean_slack_ = 0;
  std::vector<double> query_means_;      // r_t(q)
  std::vector<double> slacks_;           // of the upper bounds
  std::vector<double> thresholds_;       // scores that `count` targets reach
  std::vector<RankedTargets> lists_;     // of the candidates whose r_s is known
  std::vector<std::vector<Open>> open_;  // the others
};

std::optional<Candidates> LazyCsls::best(ConstMatrixView queries, std::size_t count) {
  if (largest_source_ == 0) return std::nullopt;  // no source word has a vector: there is nothing to bound
  // Products that may overflow bound nothing.
  if (!(fp32_slack(queries.cols() + 4, largest_source_ * largest_target_) < kUnbounded)) return std::nullopt;
  count = std::min(count, eligible_);
  std::vector<RankedTargets> lists;
  if (count == 0) {
    lists.resize(queries.rows());
    return to_candidates(lists, 0);
  }
  for (std::size_t begin = 0; begin < queries.rows(); begin += kBatch) {
    Batch batch(*this, queries.slice(begin, std::min(begin + kBatch, queries.rows())), count);
    std::optional<std::vector<RankedTargets>> ranked = batch.run();
    if (!ranked) return std::nullopt;
    for (RankedTargets& list : *ranked) lists.push_back(std::move(list));
  }
  return to_candidates(lists, count);
}

}  // namespace wordbridge
