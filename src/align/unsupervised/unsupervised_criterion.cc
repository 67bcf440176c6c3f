#include "align/unsupervised/unsupervised_criterion.h"

#include <fmt/format.h>

#include <algorithm>

#include "align/linear/procrustes.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge {

UnsupervisedCriterion::UnsupervisedCriterion(ConstMatrixView source, ConstMatrixView target, std::size_t words,
                                             std::size_t k)
    : source_(source.slice(0, std::min(words, source.rows()))),
      target_(UnitRows::normalized(Matrix::copy_of(target.slice(0, std::min(words, target.rows()))))),
      k_(k) {}

CommonSpace UnsupervisedCriterion::space_under(ConstMatrixViewD w) const {
  return CommonSpace(UnitRows::normalized(multiply_abt(source_, to_float(w))), target_);
}

std::string UnsupervisedCriterion::name() const {
  return fmt::format("mean cosine of the best CSLS translations of the {} most frequent words", source_.rows());
}

double UnsupervisedCriterion::score(ConstMatrixViewD w) const {
  const CommonSpace space = space_under(w);
  const ConstMatrixView mapped = space.table(Side::source), targets = space.table(Side::target);
  const auto pairs = induce_lexicon(space, {.criterion_options = {.neighbors = k_}});
  double sum = 0;
  for (const InducedPair& pair : pairs)
    for (std::size_t j = 0; j < mapped.cols(); ++j)
      sum += static_cast<double>(mapped(pair.source, j)) * targets(pair.target, j);
  return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
}

UnsupervisedCriterion::Pairs UnsupervisedCriterion::mutual_pairs(const MatrixD& w) const {
  Pairs pairs;
  for (const InducedPair& pair : induce_lexicon(
           space_under(w), {.criterion_options = {.neighbors = k_}, .direction = InductionDirection::intersection}))
    pairs.push_back({pair.source, pair.target});
  return pairs;
}

MatrixD UnsupervisedCriterion::refined(MatrixD w, int rounds) const {
  for (int round = 0; round < rounds; ++round) {
    const Pairs pairs = mutual_pairs(w);
    if (pairs.empty()) break;
    w = procrustes_rotation(source_, target_.rows(), pairs);
  }
  return w;
}

double UnsupervisedCriterion::held_out_agreement(const MatrixD& w) const {
  const Pairs all = mutual_pairs(w);
  if (all.size() < 2) return 0;
  std::size_t kept = 0;
  for (const std::size_t fitted : {0u, 1u}) {
    Pairs half;
    for (std::size_t i = fitted; i < all.size(); i += 2) half.push_back(all[i]);
    const Pairs found = mutual_pairs(procrustes_rotation(source_, target_.rows(), half));
    for (std::size_t i = 1 - fitted; i < all.size(); i += 2) {
      const auto at = std::ranges::lower_bound(found, all[i].source, {}, &Lexicon::Pair::source);
      kept += at != found.end() && *at == all[i];
    }
  }
  return static_cast<double>(kept) / static_cast<double>(all.size());
}

double UnsupervisedCriterion::chance_agreement(int rounds, std::uint64_t seed) const {
  Random random(seed);
  MatrixD entries(target_.dimension(), source_.cols());
  for (double& entry : entries.elements()) entry = random.normal();
  return held_out_agreement(refined(nearest_orthogonal(entries), rounds));
}

}  // namespace wordbridge
