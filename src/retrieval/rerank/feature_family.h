#pragma once
#include <span>
#include <string_view>

#include "retrieval/rerank/candidates.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Some numbers that say how likely a candidate is the translation of a word. A new family is a recipe in
/// CONTRIBUTING.md.
class FeatureFamily {
 public:
  virtual ~FeatureFamily() = default;
  /// One for each feature. They are stored with the weights, so a feature that changes its meaning changes its name.
  virtual std::span<const std::string_view> names() const = 0;
  /// Puts into some words what is found sooner for many of them at once; compute() finds what is not there.
  virtual void prepare(std::span<WordCandidates> words) const { static_cast<void>(words); }
  /// `values`: one row for each candidate, one column for each name. For many threads at once.
  virtual void compute(const WordCandidates& word, MatrixViewD values) const = 0;
};

}  // namespace wordbridge
