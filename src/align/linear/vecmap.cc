#include "align/linear/vecmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "align/linear/two_sided_result.h"
#include "align/paired_rows.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The whitening V S⁻¹ Vᵀ of rows M = U S Vᵀ and its inverse V S Vᵀ, both d x d and symmetric.
struct Whitening {
  MatrixD apply;
  MatrixD undo;
};

/// From the Gram matrix MᵀM = V S² Vᵀ of `rows` rows. Directions in which the rows have no extent beyond rounding
/// (fewer pairs than dimensions) stay out: S⁻¹ is 0 there.
Whitening whitening_of(const MatrixD& gram, std::size_t rows) {
  const Eigen eigen = symmetric_eigen(gram);
  const std::size_t d = gram.rows();
  const double largest = d == 0 ? 0 : std::max(0.0, eigen.values.back());
  const double negligible = largest * static_cast<double>(std::max(rows, d)) * std::numeric_limits<double>::epsilon();
  MatrixD shrunk(d, d), stretched(d, d);  // V S⁻¹ and V S
  for (std::size_t j = 0; j < d; ++j) {
    if (eigen.values[j] <= negligible) continue;
    const double s = std::sqrt(eigen.values[j]);
    for (std::size_t i = 0; i < d; ++i) {
      shrunk(i, j) = eigen.vectors(i, j) / s;
      stretched(i, j) = eigen.vectors(i, j) * s;
    }
  }
  return {multiply_abt(shrunk, eigen.vectors), multiply_abt(stretched, eigen.vectors)};
}

/// The map of one side, c x d. In row-vector notation a row goes through  A  Q  S^w  (Qᵀ A⁻¹ Q):  whitening A, rotation
/// Q (d x c) into the common axes, weights, and the inverse whitening seen in those axes.
MatrixD side_map(const Whitening& whitening, const MatrixD& rotation, const std::vector<double>& weights) {
  MatrixD forward = multiply(whitening.apply, rotation);
  for (std::size_t i = 0; i < forward.rows(); ++i)
    for (std::size_t j = 0; j < forward.cols(); ++j) forward(i, j) *= weights[j];
  const MatrixD undo = multiply_atb(rotation.view(), multiply(whitening.undo, rotation).view());
  return transpose(multiply(forward, undo));
}

}  // namespace

VecmapAligner::VecmapAligner(VecmapOptions options) : options_(options) {
  if (!(options_.reweight >= 0) || !std::isfinite(options_.reweight))
    throw UsageError(
        fmt::format("the exponent of the re-weighting must be a number from 0 up, not {}", options_.reweight));
}

const OptionList<VecmapOptions>& vecmap_options() {
  static const OptionList<VecmapOptions> kList = [] {
    OptionList<VecmapOptions> list;
    list.add("dimensions", &VecmapOptions::dimensions, "Leading axes to keep, or all").range(0, 1 << 20).zero("all");
    list.add("reweight", &VecmapOptions::reweight, "The axes are weighed by their correlation to this power")
        .at_least(0);
    return list;
  }();
  return kList;
}

AlignmentResult VecmapAligner::solve(const AlignmentProblem& problem) const {
  const PairedRows pairs = paired_rows(problem);
  const Whitening source = whitening_of(multiply_atb(pairs.source, pairs.source), pairs.source.rows());
  const Whitening target = whitening_of(multiply_atb(pairs.target, pairs.target), pairs.target.rows());

  // Cross-correlation of the whitened rows, d_s x d_t = Q_s S Q_tᵀ: its singular values lie in [0, 1].
  const MatrixD cross = multiply_atb(pairs.source, pairs.target);
  const Svd decomposition = svd(multiply(multiply(source.apply, cross), target.apply));
  std::size_t keep = decomposition.s.size();
  if (options_.dimensions > 0) keep = std::min(keep, options_.dimensions);
  std::vector<double> weights(decomposition.s.size());
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = std::pow(decomposition.s[j], options_.reweight);

  MatrixD source_map = side_map(source, decomposition.u, weights);
  MatrixD target_map = side_map(target, transpose(decomposition.vt), weights);
  source_map.truncate_rows(keep);
  target_map.truncate_rows(keep);
  return two_sided_result(pairs, to_float(source_map), to_float(target_map));
}

}  // namespace wordbridge
