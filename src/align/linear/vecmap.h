#pragma once
#include "align/aligner.h"
#include "base/option_list.h"

namespace wordbridge {

struct VecmapOptions {
  double reweight = 0.5;       // both sides are multiplied by S^reweight
  std::size_t dimensions = 0;  // leading axes to keep; 0: all
};

/// Its options, as users set them.
const OptionList<VecmapOptions>& vecmap_options();

/// Artetxe et al. 2018, the supervised multi-step map: whiten each side on the lexicon's rows, rotate both into common
/// axes by an SVD, weigh the axes by their cross-correlation, and undo the whitening of each side in those axes. With
/// A = (XᵀX)^(-1/2) and B = (YᵀY)^(-1/2) over the pairs and Q S Pᵀ = SVD(A XᵀY B), x goes to (Qᵀ A⁻¹ Q) S^w Qᵀ A x and
/// y to (Pᵀ B⁻¹ P) S^w Pᵀ B y.
class VecmapAligner final : public Aligner {
 public:
  /// UsageError for an exponent that is negative or not finite.
  explicit VecmapAligner(VecmapOptions options = {});

  std::string name() const override { return "vecmap"; }
  std::map<std::string, std::string> options() const override { return vecmap_options().describe(options_); }
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  VecmapOptions options_;
};

}  // namespace wordbridge
