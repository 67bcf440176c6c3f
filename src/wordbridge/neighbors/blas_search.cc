#include "wordbridge/neighbors/blas_search.h"

#include <algorithm>

#include "wordbridge/base/error.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/neighbors/best_scores.h"
#include "wordbridge/neighbors/kernel_choice.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueryBlock = 504;
constexpr std::size_t kRowBlock = 512;
/// The lists of a block of queries hold at most this many entries, so that temporaries stay small for any k.
constexpr std::size_t kListEntries = std::size_t{1} << 21;

std::size_t blocks_of(std::size_t count, std::size_t block) { return (count + block - 1) / block; }

/// How the m x N pairs are cut into tasks: blocks of queries, and where these are too few to keep all threads busy,
/// also ranges of row blocks, whose lists are merged. The result is the same for any cut.
struct Tasks {
  Tasks(std::size_t queries, std::size_t row_blocks, std::size_t found, int threads) {
    query_block = std::clamp<std::size_t>(kListEntries / std::max<std::size_t>(1, found), 1, kQueryBlock);
    query_blocks = blocks_of(queries, query_block);
    const std::size_t wanted = threads > 1 ? 4 * static_cast<std::size_t>(threads) : 1;
    const std::size_t most =
        std::clamp<std::size_t>(row_blocks / 8, 1, kListEntries / std::max<std::size_t>(1, found) + 1);
    ranges = query_blocks == 0 ? 1 : std::clamp<std::size_t>(blocks_of(wanted, query_blocks), 1, most);
  }
  std::size_t query_block, query_blocks, ranges;
};

}  // namespace

BlasSearch::BlasSearch(ConstMatrixView table) : table_(table), is_zero_(table.rows()) {
  block_norms_.resize(blocks_of(table.rows(), kRowBlock));
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
  Neighbors result;
  result.queries = queries.rows();
  result.found = std::min(k, eligible_);
  if (queries.rows() == 0 || result.found == 0) return result;
  result.ids.resize(result.queries * result.found);
  result.scores.resize(result.queries * result.found);

  const Kernels& kernel = kernels();
  const std::size_t d = table_.cols(), row_blocks = block_norms_.size();
  ThreadPool& pool = ThreadPool::shared();
  const Tasks tasks(queries.rows(), row_blocks, result.found, pool.size());

  struct Worker {
    Matrix products;
    std::vector<std::uint32_t> passed = std::vector<std::uint32_t>(kRowBlock);
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool.size()));
  std::vector<BestScores> lists(tasks.ranges > 1 ? tasks.ranges * queries.rows() : 0, BestScores(result.found));

  const auto scan = [&](Worker& worker, std::size_t begin, std::size_t end, std::size_t range, BestScores* best) {
    if (worker.products.empty()) worker.products = Matrix::uninitialized(tasks.query_block, kRowBlock);
    std::vector<double> norms(end - begin);
    for (std::size_t i = begin; i < end; ++i) norms[i - begin] = norm_above(queries.row(i).data(), d);
    const std::size_t first = row_blocks * range / tasks.ranges, last = row_blocks * (range + 1) / tasks.ranges;
    for (std::size_t block = first; block < last; ++block) {
      const std::size_t row = block * kRowBlock, rows = std::min(kRowBlock, table_.rows() - row);
      const MatrixView products(worker.products.data(), end - begin, rows, kRowBlock);
      multiply_abt_into(queries.slice(begin, end), table_.slice(row, row + rows), products);
      for (std::size_t i = begin; i < end; ++i) {
        BestScores& list = best[i - begin];
        const double slack = fp32_slack(d, norms[i - begin] * block_norms_[block]);
        const float* product = products.row(i - begin).data();
        const float limit = float_below(list.threshold() - slack);
        const std::size_t passed = kernel.select_not_below(product, rows, limit, worker.passed.data());
        for (std::size_t p = 0; p < passed; ++p) {
          const std::size_t id = row + worker.passed[p];
          // The threshold has risen since the whole block was compared with it.
          if (product[worker.passed[p]] < list.threshold() - slack || is_zero_[id]) continue;
          list.offer(
              {kernel.exact_score(queries.row(i).data(), table_.row(id).data(), d), static_cast<std::uint32_t>(id)});
        }
      }
    }
  };
  const auto store = [&](std::size_t query, BestScores& best) {
    std::size_t at = query * result.found;
    for (const ScoredRow& entry : best.take_sorted()) {
      result.ids[at] = entry.id;
      result.scores[at++] = entry.score;
    }
  };

  pool.for_chunks(tasks.query_blocks * tasks.ranges, 1, [&](std::size_t task, std::size_t, int worker) {
    const std::size_t range = task % tasks.ranges, begin = task / tasks.ranges * tasks.query_block;
    const std::size_t end = std::min(begin + tasks.query_block, queries.rows());
    Worker& own = workers[static_cast<std::size_t>(worker)];
    if (tasks.ranges > 1) {
      scan(own, begin, end, range, lists.data() + range * queries.rows() + begin);
    } else {
      std::vector<BestScores> best(end - begin, BestScores(result.found));
      scan(own, begin, end, range, best.data());
      for (std::size_t i = begin; i < end; ++i) store(i, best[i - begin]);
    }
  });
  if (tasks.ranges > 1)
    pool.for_chunks(queries.rows(), 64, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        BestScores& merged = lists[i];
        for (std::size_t range = 1; range < tasks.ranges; ++range)
          for (const ScoredRow& entry : lists[range * queries.rows() + i].take_sorted()) merged.offer(entry);
        store(i, merged);
      }
    });
  return result;
}

}  // namespace wordbridge
