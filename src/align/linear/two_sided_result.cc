#include "align/linear/two_sided_result.h"

#include <utility>

#include "align/fit_metrics.h"
#include "linalg/blas.h"

namespace wordbridge {

AlignmentResult two_sided_result(const PairedRows& rows, Matrix source_map, Matrix target_map) {
  auto metrics = fit_metrics({rows.source, multiply_abt(rows.target, target_map)}, source_map);
  return {.source_map = std::move(source_map), .target_map = std::move(target_map), .metrics = std::move(metrics)};
}

}  // namespace wordbridge
