#pragma once
#include <cstdint>
#include <vector>

#include "align/rcsls/selection_score.h"
#include "wordbridge/common_space.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// How good a map looks without any lexicon: the mean cosine of the best CSLS translations of the most frequent words
/// (Conneau et al. 2018). It goes along with the accuracy of translation.
class UnsupervisedCriterion final : public SelectionScore {
 public:
  /// The tables (normalized) must outlive this; their first `words` rows are used. `k` is that of CSLS.
  UnsupervisedCriterion(ConstMatrixView source, ConstMatrixView target, std::size_t words = 10'000, std::size_t k = 10);

  std::string name() const override;
  double score(ConstMatrixViewD w) const override;

  /// The map after `rounds` of refinement on these words only: their mutual best pairs become the lexicon of a
  /// rotation.
  MatrixD refined(MatrixD w, int rounds) const;

  /// Whether the map is more than a fit to its own pairs: the share of its mutual best pairs that a rotation still
  /// finds which was fitted to other such pairs only (two halves, each tested with the rotation of the other). Any two
  /// clouds can be laid over each other so that thousands of words find a partner; but only where the partners are
  /// translations does one half of them predict the other.
  double held_out_agreement(const MatrixD& w) const;
  /// The agreement that refinement makes out of a random rotation. Pairs were chosen under the map that they are to
  /// confirm, so it is not 0, and it depends on the vectors.
  double chance_agreement(int rounds, std::uint64_t seed) const;

 private:
  using Pairs = std::vector<Lexicon::Pair>;
  /// Words that are each other's best under W, in order of the source words.
  Pairs mutual_pairs(const MatrixD& w) const;

  CommonSpace space_under(ConstMatrixViewD w) const;

  ConstMatrixView source_;
  UnitRows target_;
  std::size_t k_;
};

/// The share of the way from chance to certainty: 1 where one half of the pairs predicts all of the other, 0 or less
/// where it does no better than by chance.
inline double evidence(double agreement, double chance) { return (agreement - chance) / (1 - chance); }

}  // namespace wordbridge
