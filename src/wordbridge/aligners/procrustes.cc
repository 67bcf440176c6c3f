#include "wordbridge/aligners/procrustes.h"

#include <utility>

#include "wordbridge/aligners/fit_metrics.h"
#include "wordbridge/aligners/paired_rows.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/svd.h"

namespace wordbridge {

AlignmentResult ProcrustesAligner::solve(const AlignmentProblem& problem) const {
  const PairedRows rows = paired_rows(problem);
  const MatrixD w = nearest_orthogonal(multiply_atb(rows.target, rows.source));
  Matrix map = to_float(w);
  auto metrics = fit_metrics(rows, map);
  return {.source_map = std::move(map), .metrics = std::move(metrics)};
}

}  // namespace wordbridge
