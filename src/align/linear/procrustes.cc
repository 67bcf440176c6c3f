#include "align/linear/procrustes.h"

#include <utility>

#include "align/fit_metrics.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"

namespace wordbridge {

MatrixD procrustes_rotation(const PairedRows& rows) {
  return nearest_orthogonal(multiply_atb(rows.target, rows.source));
}

MatrixD procrustes_rotation(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs) {
  return procrustes_rotation(paired_rows(source, target, pairs));
}

AlignmentResult ProcrustesAligner::solve(const AlignmentProblem& problem) const {
  const PairedRows rows = paired_rows(problem);
  Matrix map = to_float(procrustes_rotation(rows));
  auto metrics = fit_metrics(rows, map);
  return {.source_map = std::move(map), .metrics = std::move(metrics)};
}

}  // namespace wordbridge
