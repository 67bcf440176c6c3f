#include "align/unsupervised/similarity_profiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "parallel/thread_pool.h"
#include "space/unit_rows.h"
#include "wordbridge/induce_lexicon.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

Matrix similarity_profiles(ConstMatrixView x) {
  // With X = U S Vᵀ, (X Xᵀ)^(1/2) = U S Uᵀ = A Aᵀ for A = U S^(1/2) = X V S^(-1/2).
  const Eigen eigen = symmetric_eigen(multiply_atb(x, x));  // its values are squares of S
  const std::size_t d = x.cols();
  const double negligible =
      eigen.values.back() * static_cast<double>(std::max(x.rows(), d)) * std::numeric_limits<double>::epsilon();
  Matrix scaled(d, d);
  for (std::size_t j = 0; j < d; ++j) {
    if (eigen.values[j] <= negligible) continue;
    const double factor = std::pow(eigen.values[j], -0.25);
    for (std::size_t i = 0; i < d; ++i) scaled(i, j) = static_cast<float>(eigen.vectors(i, j) * factor);
  }
  const Matrix a = multiply(x, scaled);
  Matrix profiles = multiply_abt(a, a);
  constexpr std::size_t kRowBlock = 64;
  ThreadPool::current().for_chunks(profiles.rows(), kRowBlock, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) std::ranges::sort(profiles.row(i), std::greater<>());
  });
  const auto chain = Normalizer::parse("unit,center,unit");
  Normalizer::fit(chain, profiles);
  return profiles;
}

Lexicon pairs_by_profile(ConstMatrixView x, ConstMatrixView y) {
  assert(x.rows() == y.rows());
  const CommonSpace space(UnitRows::take(similarity_profiles(x)), UnitRows::take(similarity_profiles(y)));
  const auto found = induce_lexicon(space, {.criterion_options = {}, .direction = InductionDirection::either});
  std::vector<Lexicon::Pair> pairs;
  pairs.reserve(found.size());
  for (const InducedPair& pair : found) pairs.push_back({pair.source, pair.target});
  return Lexicon(std::move(pairs));
}

}  // namespace wordbridge
