#pragma once
#include "align/aligner.h"
#include "base/option_list.h"

namespace wordbridge {

struct SmithOptions {
  std::size_t dimensions = 0;  // leading axes to keep; 0: all
};

/// Its options, as users set them.
const OptionList<SmithOptions>& smith_options();

/// Smith et al. 2017: with U D Vᵀ = SVD(Yᵀ X) over the lexicon's pairs, both sides go into the common axes, x to Vᵀ x
/// and y to Uᵀ y. Without a cut this ranks as Procrustes does; keeping only the leading dimensions drops the axes on
/// which the two languages agree least.
class SmithAligner final : public Aligner {
 public:
  explicit SmithAligner(SmithOptions options = {}) : options_(options) {}

  std::string name() const override { return "smith"; }
  std::map<std::string, std::string> options() const override { return smith_options().describe(options_); }
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  SmithOptions options_;
};

}  // namespace wordbridge
