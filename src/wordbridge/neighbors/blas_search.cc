#include "wordbridge/neighbors/blas_search.h"

#include <algorithm>

#include "wordbridge/base/error.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/neighbors/kernel_choice.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/neighbors/search_tasks.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueryBlock = 504;
constexpr std::size_t kRowBlock = 512;

}  // namespace

BlasSearch::BlasSearch(ConstMatrixView table) : table_(table), is_zero_(table.rows()) {
  block_norms_.resize((table.rows() + kRowBlock - 1) / kRowBlock);
  ThreadPool::shared().for_chunks(table.rows(), kRowBlock, [&](std::size_t begin, std::size_t end, int) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double norm = norm_above(table_.row(i).data(), table_.cols());
      is_zero_[i] = norm == 0;
      largest = std::max(largest, norm);
    }
    block_norms_[begin / kRowBlock] = largest;
  });
  eligible_ = static_cast<std::size_t>(std::count(is_zero_.begin(), is_zero_.end(), 0));
}

Neighbors BlasSearch::search(ConstMatrixView queries, std::size_t k) const {
  if (queries.cols() != table_.cols()) throw UsageError("queries and table differ in dimension");
  const SearchCut cut{queries.rows(), block_norms_.size(), kQueryBlock, kQueryBlock, 8};
  std::vector<Matrix> products(static_cast<std::size_t>(ThreadPool::shared().size()));
  return run_search_tasks(cut, std::min(k, eligible_), [&](const SearchTask& task, std::span<BestScores> best) {
    Matrix& own = products[static_cast<std::size_t>(task.worker)];
    if (own.empty()) own = Matrix::uninitialized(kQueryBlock, kRowBlock);
    scan(queries.slice(task.query_begin, task.query_end), task.unit_begin, task.unit_end, own, best);
  });
}

/// The blocks [begin, end) of rows for a block of queries; `memory` is for the products.
void BlasSearch::scan(ConstMatrixView queries, std::size_t begin, std::size_t end, MatrixView memory,
                      std::span<BestScores> best) const {
  const ScoreKernel& kernel = *kernels().score;
  const std::size_t d = table_.cols();
  std::vector<double> norms(queries.rows());
  for (std::size_t i = 0; i < queries.rows(); ++i) norms[i] = norm_above(queries.row(i).data(), d);
  std::vector<std::uint32_t> passed(kRowBlock);
  for (std::size_t block = begin; block < end; ++block) {
    const std::size_t first = block * kRowBlock, rows = std::min(kRowBlock, table_.rows() - first);
    const MatrixView products(memory.data(), queries.rows(), rows, kRowBlock);
    multiply_abt_into(queries, table_.slice(first, first + rows), products);
    for (std::size_t i = 0; i < queries.rows(); ++i) {
      const double slack = fp32_slack(d, norms[i] * block_norms_[block]);
      const float* product = products.row(i).data();
      const std::size_t count =
          kernel.select_not_below(product, rows, float_below(best[i].threshold() - slack), passed.data());
      for (std::size_t p = 0; p < count; ++p) {
        const std::size_t row = first + passed[p];
        // The threshold has risen since the whole block was compared with it.
        if (product[passed[p]] < best[i].threshold() - slack || is_zero_[row]) continue;
        best[i].offer(
            {kernel.exact_score(queries.row(i).data(), table_.row(row).data(), d), static_cast<std::uint32_t>(row)});
      }
    }
  }
}

}  // namespace wordbridge
