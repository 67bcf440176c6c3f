#include "align/linear/least_squares.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "align/fit_metrics.h"
#include "align/paired_rows.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "wordbridge/error.h"

namespace wordbridge {

LeastSquaresAligner::LeastSquaresAligner(LeastSquaresOptions options) : options_(options) {
  if (!std::isfinite(options_.ridge) || options_.ridge < 0)
    throw UsageError(fmt::format("the ridge of least squares must be 0 or larger, not {}", options_.ridge));
}

const OptionList<LeastSquaresOptions>& least_squares_options() {
  static const OptionList<LeastSquaresOptions> kList = [] {
    OptionList<LeastSquaresOptions> list;
    list.add("ridge", &LeastSquaresOptions::ridge, "Weight of ||W||^2 in the sum of squares").at_least(0);
    return list;
  }();
  return kList;
}

AlignmentResult LeastSquaresAligner::solve(const AlignmentProblem& problem) const {
  const PairedRows rows = paired_rows(problem);
  // X B = Y has one equation a pair; a row x goes to x B, so W = Bᵀ.
  const MatrixD w = transpose(solve_least_squares(to_double(rows.source), to_double(rows.target), options_.ridge));
  Matrix map = to_float(w);
  auto metrics = fit_metrics(rows, map);
  return {.source_map = std::move(map), .metrics = std::move(metrics)};
}

}  // namespace wordbridge
