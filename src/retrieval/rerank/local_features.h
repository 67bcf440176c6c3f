#pragma once
#include <memory>

#include "retrieval/rerank/feature_family.h"
#include "retrieval/rerank/known_pairs.h"
#include "space/table_search.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

/// What the known pairs near a word say. The m known words x_i nearest to the word q count w_i, the softmax of their
/// cosines to q divided by a temperature T; y_i is the mean vector of x_i's targets. With the mean residual
/// e = sum w_i (y_i - x_i), the features are the cosines of the candidate with q + e and with q + e/2 for (T, m) =
/// (0.2, 100), (0.1, 40) and (0.05, 20), the one with sum w_i y_i (kernel regression, T = 0.1, m = 40), and
/// log(1 + known words that have the candidate as a target). The word's own pairs never count, so that a word of the
/// lexicon is treated as any other.
class LocalFeatures final : public FeatureFamily {
 public:
  LocalFeatures(CommonSpace space, const Lexicon& known);

  std::span<const std::string_view> names() const override;
  void prepare(std::span<WordCandidates> words) const override;
  void compute(const WordCandidates& word, MatrixViewD values) const override;

 private:
  struct Correction;
  struct Neighbor {
    std::size_t place;  // among the known words
    double cosine;
  };
  std::vector<Neighbor> neighbors_of(const WordCandidates& word) const;
  std::vector<Correction> corrections(const WordCandidates& word, std::span<const Neighbor> neighbors) const;

  CommonSpace space_;
  KnownPairs known_;
  Matrix sources_;                       // the known words, one a row
  Matrix mean_targets_;                  // y_i
  std::unique_ptr<TableSearch> search_;  // over the sources
};

}  // namespace wordbridge
