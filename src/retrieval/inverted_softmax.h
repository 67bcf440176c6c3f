#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "space/unit_rows.h"
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What the inverted softmax needs to know of each target y: sums over the source words q' that are not zero.
struct SoftmaxSums {
  std::vector<double> logs;   // log sum exp(beta <q', y>)
  std::vector<double> means;  // the mean of <q', y> with weights exp(beta <q', y>): the derivative of `logs` by beta
};

constexpr double kMaxBeta = 1e6;

/// For targets of length 1 and beta in (0, kMaxBeta]. Streaming, in the log domain, so that nothing overflows. Both are
/// 0 where there is no source word. Good to about beta * 1e-6: products are in fp32.
SoftmaxSums softmax_sums(const UnitRows& sources, ConstMatrixView targets, double beta);

constexpr double kLeastBeta = 1, kLargestBeta = 1000;

/// The beta of the inverted softmax under which a lexicon is most likely (Smith 2017): maximizes
///     sum over pairs (x, y) of  beta cos(x, y) - log sum over source words q' of exp(beta cos(q', y)),
/// which is concave in beta, to two percent within [kLeastBeta, kLargestBeta]. Pairs with a zero row are left
/// out. UsageError where no pair is left.
double fit_beta(const CommonSpace& space, const Lexicon& lexicon);

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
  /// `asking`: the side of the query words; those of the other one are ranked.
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
