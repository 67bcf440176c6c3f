#include "align/recovery_test_support.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "align/aligner_test_support.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "search/neighbor_search.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

HiddenRotation hidden_rotation(std::size_t words, std::size_t dimension, double noise, std::uint64_t seed, bool flat) {
  Random random(seed);
  const std::size_t clusters = 12;
  const Matrix centers = random_matrix(clusters, dimension, seed + 1);
  Matrix x(words, dimension);
  for (std::size_t i = 0; i < words; ++i) {
    // Clusters of unequal size and directions of unequal spread: no rotation but the true one looks right.
    const auto cluster = static_cast<std::size_t>(clusters * std::pow(random.uniform(), 2));
    for (std::size_t j = 0; j < dimension; ++j)
      x(i, j) = flat ? static_cast<float>(random.normal())
                     : static_cast<float>((1.5 * centers(cluster, j) + random.normal()) /
                                          std::sqrt(1.0 + static_cast<double>(j)));
  }
  std::vector<std::uint32_t> order(words);
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(order);
  const Matrix rotated = multiply_abt(x, random_orthogonal(dimension, dimension, seed + 2));
  Matrix y(words, dimension);
  for (std::size_t i = 0; i < words; ++i)
    for (std::size_t j = 0; j < dimension; ++j)
      y(order[i], j) = rotated(i, j) + static_cast<float>(noise * random.normal());
  HiddenRotation problem{numbered_vectors(std::move(x)), numbered_vectors(std::move(y)), std::move(order)};
  const auto chain = Normalizer::parse("unit,center,unit");
  Normalizer::fit(chain, problem.source.table());
  Normalizer::fit(chain, problem.target.table());
  return problem;
}

double HiddenRotation::recovered(const Matrix& w) const {
  const Matrix mapped = multiply_abt(source.table(), w);
  const Neighbors nearest = make_search(target.table())->search(mapped, 1);
  std::size_t right = 0;
  for (std::size_t i = 0; i < partner.size(); ++i) right += nearest.ids[i] == partner[i];
  return static_cast<double>(right) / static_cast<double>(partner.size());
}

}  // namespace wordbridge
