#include "search/pruning/cluster_lower_bounds.h"

#include <cstdint>
#include <limits>
#include <span>

#include "search/pruning/cluster_pools.h"
#include "search/rounding.h"
#include "search/top_k_values.h"

namespace wordbridge {

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
