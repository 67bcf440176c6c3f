#include "retrieval/csls/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "search/top_k.h"

namespace wordbridge {

RowNorms row_norms(ConstMatrixView table) {
  constexpr std::size_t kRows = 4096;
  std::vector<RowNorms> parts((table.rows() + kRows - 1) / kRows);
  ThreadPool::current().for_chunks(table.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    RowNorms& part = parts[begin / kRows];
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = table.row(i);
      if (is_zero(row)) continue;
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

RowNorms row_norms(const TableSearch& search) {
  if (const UnitRows* rows = search.unit_rows()) return {rows->largest_norm(), rows->nonzero()};
  return row_norms(search.table());
}

double mean_slack(std::size_t d, std::size_t k, double largest_source, double largest_target) {
  const double similarity = largest_source * largest_target;
  return fp32_slack(d + 4, similarity) + static_cast<double>(k + 4) * 0x1.0p-52 * similarity +
         static_cast<double>(d) * 0x1.0p-149 * largest_target;
}

double score_slack(std::size_t d, double query_norm, double largest_source, double largest_target) {
  const double cosine = query_norm * largest_target;
  return 2 * fp32_slack(d, cosine) + 0x1.0p-48 * (cosine + largest_source * largest_target);
}

namespace {

constexpr std::size_t kProductTargets = 512;  // targets of a matrix product

}  // namespace

std::vector<OpenTarget> fine_bounds(const CslsBatch& batch, const MeanBounds& bounds, std::size_t query,
                                    std::span<const WordId> targets, std::span<const WordId> sources) {
  std::vector<OpenTarget> result;
  result.reserve(targets.size());
  const Matrix words = gather_rows(batch.sources, sources);
  Matrix products = Matrix::uninitialized(std::min(targets.size(), kProductTargets), sources.size());
  Matrix cosines = Matrix::uninitialized(1, products.rows());
  TopKValues largest(batch.k);
  for (std::size_t begin = 0; begin < targets.size(); begin += kProductTargets) {
    const auto block = targets.subspan(begin, std::min(kProductTargets, targets.size() - begin));
    const Matrix rows = gather_rows(batch.targets, block);
    multiply_abt_into(rows, words, products.view().slice(0, block.size()));
    multiply_abt_into(batch.queries.slice(query, query + 1), rows, {cosines.data(), 1, block.size()});
    for (std::size_t i = 0; i < block.size(); ++i) {
      largest.select(products.row(i));
      const double fine = largest.mean() - batch.mean_slack;
      const double mean = std::max<double>(fine, bounds.mean[block[i]]);
      result.push_back({batch.upper_bound(query, cosines(0, i), mean), mean,
                        float_below(largest.kth() - batch.mean_slack), block[i]});
    }
  }
  return result;
}

namespace {

constexpr std::size_t kTargetBlock = 512;    // targets of a matrix product
constexpr std::size_t kLandmarkBlock = 256;  // landmarks of a matrix product

}  // namespace

Matrix landmarks(ConstMatrixView sources, const std::vector<std::vector<WordId>>& pools, std::size_t k) {
  const std::size_t d = sources.cols();
  Matrix result = Matrix::uninitialized(pools.size(), d);
  ThreadPool::current().for_chunks(pools.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> sum(d);
    for (std::size_t i = begin; i < end; ++i) {
      std::fill(sum.begin(), sum.end(), 0);
      for (const WordId id : std::span(pools[i]).first(k)) {
        const auto row = sources.row(id);
        for (std::size_t j = 0; j < d; ++j) sum[j] += row[j];
      }
      for (std::size_t j = 0; j < d; ++j) result(i, j) = static_cast<float>(sum[j] / static_cast<double>(k));
    }
  });
  return result;
}

void raise_by_landmarks(ConstMatrixView landmarks, ConstMatrixView targets, double slack, std::span<float> mean,
                        std::span<std::uint32_t> best) {
  ThreadPool& pool = ThreadPool::current();
  std::vector<Matrix> products(static_cast<std::size_t>(pool.size()));
  pool.for_chunks(targets.rows(), kTargetBlock, [&](std::size_t begin, std::size_t end, int worker) {
    Matrix& memory = products[static_cast<std::size_t>(worker)];
    if (memory.empty()) memory = Matrix::uninitialized(kLandmarkBlock, kTargetBlock);
    std::vector<float> largest(end - begin, -std::numeric_limits<float>::infinity());
    for (std::size_t first = 0; first < landmarks.rows(); first += kLandmarkBlock) {
      const std::size_t rows = std::min(kLandmarkBlock, landmarks.rows() - first);
      const MatrixView product(memory.data(), rows, end - begin, kTargetBlock);
      multiply_abt_into(landmarks.slice(first, first + rows), targets.slice(begin, end), product);
      for (std::size_t i = 0; i < rows; ++i) {
        const float* values = product.row(i).data();
        if (!best.empty())
          for (std::size_t j = 0; j < largest.size(); ++j)
            if (values[j] > largest[j]) best[begin + j] = static_cast<std::uint32_t>(first + i);
        for (std::size_t j = 0; j < largest.size(); ++j) largest[j] = std::max(largest[j], values[j]);
      }
    }
    for (std::size_t j = 0; j < largest.size(); ++j)
      mean[begin + j] = std::max(mean[begin + j], float_below(largest[j] - slack));
  });
}

OpenTarget bound_by_landmark(const CslsBatch& batch, const MeanBounds& bounds, std::size_t query,
                             std::span<const float> landmark, WordId target) {
  const float* row = batch.targets.row(target).data();
  const std::size_t d = batch.targets.cols();
  const double cosine = kernels().score->exact_score(batch.queries.row(query).data(), row, d);
  const double by_landmark = kernels().score->exact_score(landmark.data(), row, d) - batch.mean_slack;
  const double mean = std::max<double>(by_landmark, bounds.mean[target]);
  return {batch.upper_bound(query, cosine, mean), mean, -std::numeric_limits<float>::infinity(), target};
}

namespace {

constexpr std::size_t kLeastPortion = 64;  // rows that are worth a search

}  // namespace

void prune_targets(std::vector<OpenTarget>& open, double threshold) {
  std::erase_if(open, [=](const OpenTarget& target) { return target.upper_bound < threshold; });
}

void sort_by_upper_bound(std::vector<OpenTarget>& open) {
  std::sort(open.begin(), open.end(), [](const OpenTarget& a, const OpenTarget& b) {
    return a.upper_bound > b.upper_bound || (a.upper_bound == b.upper_bound && a.id < b.id);
  });
}

void share_bounds(OpenTargets& open, MeanBounds& bounds) {
  for (const auto& targets : open)
    for (const OpenTarget& target : targets) {
      bounds.mean[target.id] = std::max(bounds.mean[target.id], float_below(target.mean));
      bounds.kth_score[target.id] = std::max(bounds.kth_score[target.id], target.kth_score);
    }
  ThreadPool::current().for_chunks(open.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      for (OpenTarget& target : open[i])
        target.upper_bound -= std::max(0.0, double{bounds.mean[target.id]} - target.mean);
  });
}

std::vector<TopK<double>> merge_lists(std::vector<TopK<double>> own, std::size_t count, const ShardedRows& table) {
  if (table.is_whole()) return own;
  struct Match {
    double score;
    WordId id;
    std::uint32_t query;
  };
  std::vector<Match> mine;
  for (std::uint32_t i = 0; i < own.size(); ++i)
    for (const auto& entry : own[i].sorted()) mine.push_back({entry.score, entry.id, i});
  std::vector<TopK<double>> lists(own.size(), TopK<double>(count));
  for (const auto& part : table.exchange(std::move(mine)))
    for (const Match& match : part) lists[match.query].offer(match.score, match.id);
  return lists;
}

namespace {

/// The best upper bounds of each query, `portion` at most; on all processes those of all.
std::vector<WordId> best_open(const OpenTargets& open, std::size_t portion, const ShardedRows& table) {
  const RowShards shards = table.shards();
  std::vector<WordId> numbers;
  std::vector<TopK<double>> first(open.size(), TopK<double>(portion));
  for (std::size_t i = 0; i < open.size(); ++i)
    for (std::size_t j = 0; j < std::min(portion, open[i].size()); ++j) {
      const auto number = static_cast<WordId>(shards.number(open[i][j].id));
      table.is_whole() ? numbers.push_back(number) : first[i].offer(open[i][j].upper_bound, number);
    }
  if (table.is_whole()) return numbers;
  for (const TopK<double>& list : merge_lists(std::move(first), portion, table))
    for (const auto& entry : list.sorted()) numbers.push_back(entry.id);
  return numbers;
}

}  // namespace

void refine_in_portions(OpenTargets& open, std::vector<TopK<double>>& lists, std::size_t portions,
                        const TargetsAsked& targets, const std::function<void(std::vector<WordId> numbers)>& learn,
                        const std::function<std::optional<double>(std::size_t query, WordId place)>& score) {
  const RowShards shards = targets.rows.shards();
  const auto prune = [&] {
    const bool whole = targets.rows.is_whole();
    const std::vector<TopK<double>> merged =
        whole ? std::vector<TopK<double>>() : merge_lists(lists, targets.count, targets.rows);
    for (std::size_t i = 0; i < open.size(); ++i) prune_targets(open[i], (whole ? lists : merged)[i].threshold());
  };
  for (std::size_t portion = 1 + kLeastPortion / open.size(); portions > 0; portion *= 2, --portions) {
    prune();
    std::vector<WordId> wanted = best_open(open, portion, targets.rows);
    if (wanted.empty()) return;
    learn(std::move(wanted));
    for (std::size_t i = 0; i < open.size(); ++i)
      std::erase_if(open[i], [&](const OpenTarget& target) {
        const std::optional<double> exact = score(i, target.id);
        if (exact) lists[i].offer(*exact, static_cast<WordId>(shards.number(target.id)));
        return exact.has_value();
      });
  }
  prune();
}

}  // namespace wordbridge
