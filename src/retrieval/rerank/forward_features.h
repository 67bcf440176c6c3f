#pragma once
#include "retrieval/rerank/feature_family.h"

namespace wordbridge {

/// How near the candidate is to the mapped word: cosine, CSLS, r_s of the target, the margin of its CSLS over the best
/// other candidate, whether it is the first by CSLS, and the logarithm of its softmax, exp(20 CSLS) over the sum of all
/// candidates.
class ForwardFeatures final : public FeatureFamily {
 public:
  std::span<const std::string_view> names() const override;
  void compute(const WordCandidates& word, MatrixViewD values) const override;
};

}  // namespace wordbridge
