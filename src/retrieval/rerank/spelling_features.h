#pragma once
#include <memory>

#include "retrieval/rerank/feature_family.h"

namespace wordbridge {

/// How alike the two words are written. But for the first, all are of normalized spellings: equal as written, equal
/// when stripped, 1 - edit distance / longer length, its excess over one half, cosine of n-grams, share of the common
/// prefix, length of the candidate, and the distance of both lengths. A candidate that is another word of the source
/// language is most likely a foreign word among the targets: whether it is, and how much more frequent it is there, as
/// a difference of log(rank + 20).
class SpellingFeatures final : public FeatureFamily {
 public:
  SpellingFeatures(CommonSpace space, std::shared_ptr<const SpellingResources> spelling);

  std::span<const std::string_view> names() const override;
  void compute(const WordCandidates& word, MatrixViewD values) const override;

 private:
  CommonSpace space_;
  std::shared_ptr<const SpellingResources> spelling_;
};

}  // namespace wordbridge
