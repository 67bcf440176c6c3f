#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "retrieval/softmax_sums.h"
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

class ShiftedRanking;

struct InvertedSoftmaxOptions {
  double beta = 30;        // inverse temperature; fit_beta() finds one for a lexicon
  std::size_t sample = 0;  // source words in the normalizer, drawn with the seed; 0: all
  std::uint64_t seed = 0;  // of the sample
};

/// UsageError unless beta is above 0 and at most kMaxBeta.
void require_beta(double beta);

/// "isf" (Smith 2017): exp(beta cos(q, y)) / sum over source words q' of exp(beta cos(q', y)), the probability of the
/// source word given the target instead of the other way round; a hub is near to many source words and so unlikely to
/// mean this one. Scores are logarithms: beta cos(q, y) - log sum exp(beta cos(q', y)).
class InvertedSoftmax final : public Criterion {
 public:
  /// `asking`: the side whose words ask; those of the other one are ranked.
  explicit InvertedSoftmax(CommonSpace space, const InvertedSoftmaxOptions& options = {}, Side asking = Side::source);

  std::string name() const override { return "isf"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;

 private:
  std::shared_ptr<ShiftedRanking> ranking() const;
  std::vector<double> log_normalizers() const;

  CommonSpace space_;
  InvertedSoftmaxOptions options_;
  Side asking_;
};

}  // namespace wordbridge
