#pragma once
#include <memory>

#include "retrieval/rerank/feature_family.h"
#include "retrieval/rerank/suffix_pairs.h"

namespace wordbridge {

/// How well the endings of one, two and three letters go together (SuffixPairs).
class SuffixFeatures final : public FeatureFamily {
 public:
  SuffixFeatures(std::shared_ptr<const SpellingResources> spelling, std::shared_ptr<const SuffixPairs> suffixes);

  std::span<const std::string_view> names() const override;
  void compute(const WordCandidates& word, MatrixViewD values) const override;

 private:
  std::shared_ptr<const SpellingResources> spelling_;
  std::shared_ptr<const SuffixPairs> suffixes_;
};

}  // namespace wordbridge
