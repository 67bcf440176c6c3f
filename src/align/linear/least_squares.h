#pragma once
#include "align/aligner.h"
#include "base/option_list.h"

namespace wordbridge {

struct LeastSquaresOptions {
  double ridge = 0;  // λ: adds λ ‖W‖² to the sum of squares
};

/// Its options, as users set them.
const OptionList<LeastSquaresOptions>& least_squares_options();

/// The linear map of least squared error (Mikolov 2013): min over W of sum ‖W x_i − y_i‖² + λ ‖W‖². With λ = 0 and
/// fewer independent pairs than dimensions, the solution of least norm.
class LeastSquaresAligner final : public Aligner {
 public:
  /// UsageError for a ridge that is negative or not finite.
  explicit LeastSquaresAligner(LeastSquaresOptions options = {});

  std::string name() const override { return "least-squares"; }
  std::map<std::string, std::string> options() const override { return least_squares_options().describe(options_); }
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  LeastSquaresOptions options_;
};

}  // namespace wordbridge
