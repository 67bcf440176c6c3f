#pragma once
#include <memory>

#include "align/aligner.h"
#include "base/option_list.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge {

struct RefinementOptions {
  int rounds = 5;
  InductionDirection direction = InductionDirection::intersection;  // which CSLS best pairs make the next lexicon
  std::size_t max_rank = 10'000;  // pairs with a word beyond this rank are left out; 0: none is
  double threshold = 0;           // least margin between a word's best and second-best score
  std::size_t min_pairs = 0;      // the most certain pairs up to this number stay in whatever their margin
  std::size_t max_pairs = 0;      // at most so many, the most certain ones; 0: all
  std::size_t neighbors = 10;     // k of CSLS
};

/// Its options beside the rounds, as users set them.
const OptionList<RefinementOptions>& refinement_options();

/// UsageError for invalid options, before any work is done.
void check(const RefinementOptions& options);

/// Conneau et al. 2018: after any method, the best CSLS pairs under the maps found so far become the lexicon for
/// another fit, several times over.
///
/// AlignmentReport::refinement has a line for each round; the rest of the report is that of the start, with the
/// warnings of all fits. Metrics are those of the last fit, on its own pairs.
class RefinedAligner final : public Aligner {
 public:
  /// `refit` learns from the induced lexicons; Procrustes in the paper. UsageError for invalid options.
  RefinedAligner(std::unique_ptr<const Aligner> start, std::unique_ptr<const Aligner> refit,
                 RefinementOptions options = {});

  std::string name() const override { return start_->name() + "+refine"; }
  std::map<std::string, std::string> options() const override;
  /// Error where a round finds no pairs.
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  std::unique_ptr<const Aligner> start_, refit_;
  RefinementOptions options_;
};

}  // namespace wordbridge
