#pragma once
#include <memory>

#include "retrieval/rerank/feature_family.h"
#include "retrieval/rerank/spelling_model.h"

namespace wordbridge {

/// What the learned spelling model says, lo = log T(x, y) - log U(x) - log U(y): lo for each letter (half the letters
/// of both words) cut at 4 either way, lo between -10 and 25, sigmoid(lo + log 0.25), and (log T(x, y) - log U(x)) for
/// each letter of the candidate, between -10 and 0.
class LearnedSpellingFeatures final : public FeatureFamily {
 public:
  LearnedSpellingFeatures(std::shared_ptr<const SpellingResources> spelling,
                          std::shared_ptr<const SpellingModel> model);

  std::span<const std::string_view> names() const override;
  void compute(const WordCandidates& word, MatrixViewD values) const override;

 private:
  std::shared_ptr<const SpellingResources> spelling_;
  std::shared_ptr<const SpellingModel> model_;
};

}  // namespace wordbridge
