#pragma once
#include "retrieval/rerank/feature_family.h"

namespace wordbridge {

/// How frequent the candidate is, and how much more or less than the word: log(rank + 20), as places in the
/// vocabularies are frequency ranks; the difference to the word's, and its absolute value. A word outside the
/// vocabulary stands behind all others.
class FrequencyFeatures final : public FeatureFamily {
 public:
  /// `words`: size of the vocabulary of the words that ask.
  explicit FrequencyFeatures(std::size_t words) : words_(words) {}

  std::span<const std::string_view> names() const override;
  void compute(const WordCandidates& word, MatrixViewD values) const override;

 private:
  std::size_t words_;
};

}  // namespace wordbridge
