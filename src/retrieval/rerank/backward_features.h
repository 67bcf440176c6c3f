#pragma once
#include "retrieval/rerank/feature_family.h"

namespace wordbridge {

/// Whether the candidate would choose the word, too. Its rivals are the nearest source words of the candidate but for
/// the word itself: the margin of the word's cosine over the best of them, whether it is above them all, whether the
/// candidate is the first of the word by CSLS besides, log(1 + rivals above the word), and the logarithm of the word's
/// softmax, exp(20 cos), among the rivals.
class BackwardFeatures final : public FeatureFamily {
 public:
  std::span<const std::string_view> names() const override;
  void compute(const WordCandidates& word, MatrixViewD values) const override;
};

}  // namespace wordbridge
