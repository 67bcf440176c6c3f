#pragma once
#include "align/aligner.h"
#include "align/rcsls/rcsls_options.h"

namespace wordbridge {

/// RCSLS (Joulin 2018), the paper's method: projected subgradient descent on the relaxed CSLS loss from Procrustes'
/// rotation. Where no learning rate is named and the lexicon is large enough, the settings are selected on a part of it
/// that is held out, Procrustes itself being among the candidates; then all pairs are used.
///
/// The report holds the iterations of the last training, the table of what was tried, and a warning where training
/// diverged.
class RcslsAligner : public Aligner {
 public:
  /// UsageError for invalid options.
  explicit RcslsAligner(RcslsOptions options = {});

  std::string name() const override { return "rcsls"; }
  std::map<std::string, std::string> options() const override { return describe(options_); }
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  RcslsOptions options_;
};

}  // namespace wordbridge
