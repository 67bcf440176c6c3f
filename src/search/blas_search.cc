#include "search/blas_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "search/pruning/candidate_lists.h"
#include "search/rounding.h"
#include "search/search_tasks.h"
#include "search/top_k.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// BLAS packs both blocks anew for every product, so they are large; their products (3 MB) still stay in the caches
/// until they are looked at.
constexpr std::size_t kQueryBlock = 1536;
/// Smaller ones are cut by rows instead, although every range of rows then has to find its own thresholds.
constexpr std::size_t kLeastBlasQueries = 768;
constexpr std::size_t kRowBlock = 512;
/// Candidates of a query beyond twice the k that are looked for.
constexpr std::size_t kRoom = 64;
constexpr double kInfiniteScore = std::numeric_limits<double>::infinity();

}  // namespace

BlasSearch::BlasSearch(ConstMatrixView table) : table_(table), is_zero_(table.rows()) {
  block_norms_.resize((table.rows() + kRowBlock - 1) / kRowBlock);
  block_has_zeros_.resize(block_norms_.size());
  ThreadPool::current().for_chunks(table.rows(), kRowBlock, [&](std::size_t begin, std::size_t end, int) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double norm = norm_above(table_.row(i).data(), table_.cols());
      if (norm == 0) is_zero_[i] = block_has_zeros_[begin / kRowBlock] = 1;
      largest = std::max(largest, norm);
    }
    block_norms_[begin / kRowBlock] = largest;
  });
  eligible_ = static_cast<std::size_t>(std::count(is_zero_.begin(), is_zero_.end(), 0));
}

BlasSearch::BlasSearch(ConstMatrixView table, std::vector<std::uint8_t> is_zero, double largest_norm)
    : table_(table), is_zero_(std::move(is_zero)) {
  block_norms_.assign((table.rows() + kRowBlock - 1) / kRowBlock, largest_norm);
  block_has_zeros_.resize(block_norms_.size());
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (is_zero_[i] != 0) block_has_zeros_[i / kRowBlock] = 1;
  eligible_ = static_cast<std::size_t>(std::count(is_zero_.begin(), is_zero_.end(), 0));
}

Neighbors BlasSearch::search(ConstMatrixView queries, std::size_t k) const {
  if (queries.cols() != table_.cols()) throw UsageError("queries and table differ in dimension");
  const SearchCut cut{queries.rows(), block_norms_.size(), kQueryBlock, kLeastBlasQueries, 8};
  std::vector<Matrix> products(static_cast<std::size_t>(ThreadPool::current().size()));
  return run_search_tasks(cut, std::min(k, eligible_), [&](const SearchTask& task, std::span<TopK<float>> best) {
    Matrix& own = products[static_cast<std::size_t>(task.worker)];
    if (own.empty()) own = Matrix(std::min(kQueryBlock, queries.rows()), kRowBlock);
    scan(queries.slice(task.query_begin, task.query_end), std::min(k, eligible_), task, own, best);
  });
}

/// The rows of a task for its queries, the k best of each; `memory` is for the products, zero before and after.
void BlasSearch::scan(ConstMatrixView queries, std::size_t k, const SearchTask& task, MatrixView memory,
                      std::span<TopK<float>> best) const {
  const ScoreKernel& kernel = *kernels().score;
  const std::size_t d = table_.cols();
  std::vector<double> norms(queries.rows());
  for (std::size_t i = 0; i < queries.rows(); ++i) norms[i] = norm_above(queries.row(i).data(), d);
  CandidateLists lists(table_, kernel, queries.rows(), k, 2 * k + kRoom);
  TopKValues largest(k);
  std::vector<std::uint32_t> passed(kRowBlock);
  for (std::size_t block = task.unit_begin; block < task.unit_end; ++block) {
    Context::poll();
    const std::size_t first = block * kRowBlock, rows = std::min(kRowBlock, table_.rows() - first);
    const MatrixView products(memory.data(), queries.rows(), rows, kRowBlock);
    add_abt_to(queries, table_.slice(first, first + rows), products);
    for (std::size_t i = 0; i < queries.rows(); ++i) {
      const double slack = fp32_slack(d, norms[i] * block_norms_[block]);
      const std::span<float> product = products.row(i);
      // As long as nothing is known, the k-th best product saves all others from becoming candidates.
      if (lists.lower_bound(i) == -kInfiniteScore && slack < kInfiniteScore && block_has_zeros_[block] == 0 &&
          k <= rows) {
        largest.select(product);
        lists.raise_lower_bound(i, float_below(double{largest.kth()} - slack));
      }
      const float limit = float_below(double{lists.lower_bound(i)} - slack);
      const std::size_t count = kernel.select_not_below(product.data(), rows, limit, passed.data());
      for (std::size_t p = 0; p < count; ++p) {
        const std::uint32_t row = static_cast<std::uint32_t>(first + passed[p]);
        const double score = double{product[passed[p]]};
        if (score < double{lists.lower_bound(i)} - slack || is_zero_[row]) continue;  // it has risen since
        if (slack < kInfiniteScore)
          lists.add(i, queries.row(i).data(), row, score - slack, score + slack);
        else
          lists.add(i, queries.row(i).data(), row, -kInfiniteScore, kInfiniteScore);
      }
      std::fill(product.begin(), product.end(), 0.0f);
    }
  }
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    Context::poll();
    best[i] = lists.take_top_k(i, queries.row(i).data());
  }
}

std::optional<RangeSearchResult> BlasSearch::range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                          std::span<const float> offsets, std::size_t most) const {
  if (queries.cols() != table_.cols()) throw UsageError("queries and table differ in dimension");
  const std::size_t d = table_.cols();
  std::vector<double> norms(queries.rows());
  for (std::size_t i = 0; i < queries.rows(); ++i) norms[i] = norm_above(queries.row(i).data(), d);
  return collect_range_matches(
      queries.rows(), block_norms_.size(), 1, most,
      [&](std::size_t block, std::size_t, std::vector<RangeMatch>& matches) {
        const std::size_t first = block * kRowBlock, rows = std::min(kRowBlock, table_.rows() - first);
        Matrix memory = Matrix::uninitialized(std::min(kQueryBlock, queries.rows()), rows);
        std::vector<float> differences(rows);
        std::vector<std::uint32_t> passed(rows);
        for (std::size_t begin = 0; begin < queries.rows(); begin += kQueryBlock) {
          Context::poll();
          const std::size_t end = std::min(begin + kQueryBlock, queries.rows());
          const MatrixView products(memory.data(), end - begin, rows);
          multiply_abt_into(queries.slice(begin, end), table_.slice(first, first + rows), products);
          for (std::size_t i = begin; i < end; ++i) {
            const float* product = products.row(i - begin).data();
            const float* values = product;
            if (!offsets.empty()) {
              for (std::size_t j = 0; j < rows; ++j) differences[j] = product[j] - offsets[first + j];
              values = differences.data();
            }
            const double slack = fp32_slack(d, norms[i] * block_norms_[block]), wanted = thresholds[i] - slack;
            // The difference in float loses at most a rounding of its own size.
            const float limit =
                slack < kInfiniteScore ? float_below(wanted - 2 * kFloatRoundoff * std::abs(wanted)) : -kInfiniteScore;
            // A product that overflowed says nothing, and may be minus infinity or no number.
            const auto above = [&](float value) {
              return float_above(slack < kInfiniteScore ? value + slack : kInfiniteScore);
            };
            const std::size_t count = kernels().score->select_not_below(values, rows, limit, passed.data());
            for (std::size_t p = 0; p < count; ++p)
              if (const std::size_t row = first + passed[p]; is_zero_[row] == 0)
                matches.push_back(
                    {static_cast<std::uint32_t>(i), {above(product[passed[p]]), static_cast<std::uint32_t>(row)}});
          }
        }
      });
}

}  // namespace wordbridge
