#include "wordbridge/aligners/unsupervised_criterion.h"

#include <fmt/format.h>

#include <algorithm>

#include "wordbridge/base/random.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/gather.h"
#include "wordbridge/linalg/svd.h"
#include "wordbridge/retrieval/induce_lexicon.h"

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
           space_under(w), {.criterion_options = {.neighbors = k_}, .direction = InductionDirection::intersection})) {
    pairs.sources.push_back(pair.source);
    pairs.targets.push_back(pair.target);
  }
  return pairs;
}

MatrixD UnsupervisedCriterion::rotation(const Pairs& pairs) const {
  return nearest_orthogonal(
      multiply_atb(gather_rows(target_.rows(), pairs.targets).view(), gather_rows(source_, pairs.sources).view()));
}

MatrixD UnsupervisedCriterion::refined(MatrixD w, int rounds) const {
  for (int round = 0; round < rounds; ++round) {
    const Pairs pairs = mutual_pairs(w);
    if (pairs.sources.empty()) break;
    w = rotation(pairs);
  }
  return w;
}

double UnsupervisedCriterion::held_out_agreement(const MatrixD& w) const {
  const Pairs all = mutual_pairs(w);
  if (all.sources.size() < 2) return 0;
  std::size_t kept = 0;
  for (const std::size_t fitted : {0u, 1u}) {
    Pairs half;
    for (std::size_t i = fitted; i < all.sources.size(); i += 2) {
      half.sources.push_back(all.sources[i]);
      half.targets.push_back(all.targets[i]);
    }
    const Pairs found = mutual_pairs(rotation(half));
    for (std::size_t i = 1 - fitted; i < all.sources.size(); i += 2) {
      const auto at = std::ranges::lower_bound(found.sources, all.sources[i]);
      if (at == found.sources.end() || *at != all.sources[i]) continue;
      kept += found.targets[static_cast<std::size_t>(at - found.sources.begin())] == all.targets[i];
    }
  }
  return static_cast<double>(kept) / static_cast<double>(all.sources.size());
}

double UnsupervisedCriterion::chance_agreement(int rounds, std::uint64_t seed) const {
  Random random(seed);
  MatrixD entries(target_.dimension(), source_.cols());
  for (double& entry : entries.elements()) entry = random.normal();
  return held_out_agreement(refined(nearest_orthogonal(entries), rounds));
}

}  // namespace wordbridge
