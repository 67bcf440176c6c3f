#include "align/linear/smith.h"

#include <algorithm>

#include "align/linear/two_sided_result.h"
#include "align/paired_rows.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"

namespace wordbridge {

const OptionList<SmithOptions>& smith_options() {
  static const OptionList<SmithOptions> kList = [] {
    OptionList<SmithOptions> list;
    list.add("dimensions", &SmithOptions::dimensions, "Leading axes to keep, or all").range(0, 1 << 20).zero("all");
    return list;
  }();
  return kList;
}

AlignmentResult SmithAligner::solve(const AlignmentProblem& problem) const {
  const PairedRows pairs = paired_rows(problem);
  // Thin: U is d_t x r, Vᵀ is r x d_s, r = min(d_s, d_t).
  Svd decomposition = svd(multiply_atb(pairs.target, pairs.source));
  MatrixD source_map = std::move(decomposition.vt);
  MatrixD target_map = transpose(decomposition.u);
  if (options_.dimensions > 0) {
    const std::size_t keep = std::min(options_.dimensions, source_map.rows());
    source_map.truncate_rows(keep);
    target_map.truncate_rows(keep);
  }
  return two_sided_result(pairs, to_float(source_map), to_float(target_map));
}

}  // namespace wordbridge
