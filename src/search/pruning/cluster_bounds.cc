#include "search/pruning/cluster_bounds.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/kernels/kernel_choice.h"
#include "search/pruning/clusters.h"
#include "search/rounding.h"
#include "search/top_k.h"

namespace wordbridge {

namespace {

/// The first rows of the other table for everybody.
Neighbors any_rows(std::size_t queries, ConstMatrixView rows, std::size_t k) {
  std::vector<std::uint32_t> first;
  for (std::size_t i = 0; i < rows.rows() && first.size() < k; ++i)
    if (!is_zero(rows.row(i))) first.push_back(static_cast<std::uint32_t>(i));
  Neighbors result{queries, first.size(), {}, {}};
  result.ids.reserve(queries * first.size());
  for (std::size_t i = 0; i < queries; ++i) result.ids.insert(result.ids.end(), first.begin(), first.end());
  return result;
}

ClusterPools::Visit take_best(Neighbors& result) {
  return [&result](std::uint32_t row, std::span<const std::uint32_t> pool, std::span<const float> products, double) {
    TopKValues largest(result.found);
    largest.select(products);
    std::vector<std::uint32_t> passed(products.size());
    // At least as many pass, whatever overflows: NaN does, too.
    const std::size_t count = std::min(result.found, kernels().score->select_not_below(products.data(), products.size(),
                                                                                       largest.kth(), passed.data()));
    for (std::size_t i = 0; i < count; ++i) result.ids[row * result.found + i] = pool[passed[i]];
  };
}

}  // namespace

TwoSidedNeighbors cluster_neighbors(ConstMatrixView source, ConstMatrixView target, std::size_t k) {
  TwoSidedNeighbors result{any_rows(source.rows(), target, k), any_rows(target.rows(), source, k)};
  const ClusterPools pools(source, target);
  if (result.of_source.found > 0) pools.visit_sources(result.of_source.found, take_best(result.of_source));
  if (result.of_target.found > 0) pools.visit_targets(result.of_target.found, take_best(result.of_target));
  return result;
}

ClusterLowerBounds cluster_lower_bounds(ConstMatrixView source, ConstMatrixView target, std::size_t k_source,
                                        std::size_t k_target) {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  ClusterLowerBounds result{std::vector<float>(source.rows(), kNone), std::vector<float>(target.rows(), kNone)};
  const ClusterPools pools(source, target);
  const auto raise = [](std::size_t k, std::vector<float>& bounds) {
    return
        [k, &bounds](std::uint32_t row, std::span<const std::uint32_t>, std::span<const float> products, double slack) {
          if (slack == std::numeric_limits<double>::infinity()) return;
          TopKValues largest(k);
          largest.select(products);
          bounds[row] = float_below(double{largest.kth()} - slack);
        };
  };
  pools.visit_sources(k_source, raise(k_source, result.of_source));
  pools.visit_targets(k_target, raise(k_target, result.of_target));
  return result;
}

}  // namespace wordbridge
