#include "retrieval/csls/fine_bounds.h"

#include <algorithm>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "search/rounding.h"
#include "search/top_k.h"

namespace wordbridge {

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

}  // namespace wordbridge
