#pragma once
#include <cstdint>
#include <optional>

#include "wordbridge/retrieval/criterion.h"
#include "wordbridge/retrieval/shifted_ranking.h"
#include "wordbridge/retrieval/softmax_sums.h"

namespace wordbridge {

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
class InvertedSoftmax : public Criterion {
 public:
  /// The tables must outlive the criterion and stay unchanged.
  InvertedSoftmax(ConstMatrixView sources, ConstMatrixView targets, const InvertedSoftmaxOptions& options = {});

  std::string name() const override { return "isf"; }
  Candidates best(ConstMatrixView queries, std::size_t count) override;

 private:
  std::vector<double> log_normalizers() const;

  ConstMatrixView sources_, targets_;
  InvertedSoftmaxOptions options_;
  std::optional<ShiftedRanking> ranking_;  // made when first needed
};

}  // namespace wordbridge
