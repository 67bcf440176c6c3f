#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "parallel/thread_pool.h"
#include "wordbridge/matrix.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::benchmarks {

/// Two tables of unit rows that look like the word vectors of two languages; row i of both is the same "word".
struct WordLikeVectors {
  Matrix source, target;
};

/// What makes the search easy or hard in real vectors: a mean that is not zero, a spectrum that decays, clusters of
/// all sizes, and hubs (words near the mean of everything). Languages share the meaning of a word and differ in noise
/// and in a reversal of the axes. The same seed gives the same tables on any machine and number of threads.
inline WordLikeVectors word_like_vectors(std::size_t words, std::size_t dimension, std::uint64_t seed = 20'181'031) {
  constexpr std::size_t kClusters = 2000, kChunk = 1024;
  std::vector<double> spectrum(dimension);
  for (std::size_t j = 0; j < dimension; ++j) spectrum[j] = std::pow(static_cast<double>(j + 1), -0.35);
  Random shared(seed);
  Matrix centers = Matrix::uninitialized(kClusters, dimension);
  for (std::size_t c = 0; c < kClusters; ++c)
    for (std::size_t j = 0; j < dimension; ++j)
      centers(c, j) = static_cast<float>(spectrum[j] * shared.normal() + (j == 0 ? 2.5 : 0));

  WordLikeVectors result{Matrix::uninitialized(words, dimension), Matrix::uninitialized(words, dimension)};
  ThreadPool::current().for_chunks(words, kChunk, [&](std::size_t begin, std::size_t end, int) {
    Random random(seed + 1 + begin);
    for (std::size_t i = begin; i < end; ++i) {
      // Cluster c has a share that falls as 1 / (c + 1), about.
      const auto cluster = static_cast<std::size_t>(std::pow(static_cast<double>(kClusters), random.uniform())) - 1;
      const bool hub = random.index(100) == 0;
      const double spread = hub ? 0.4 : 0.6 + 0.6 * random.uniform(), near = hub ? 0.3 : 0.7;
      for (std::size_t j = 0; j < dimension; ++j) {
        const double center = near * centers(cluster, j) + (1 - near) * (j == 0 ? 2.5 : 0);
        const double meaning = center + spread * spectrum[j] * random.normal();
        const double noise = 0.5 * spread * spectrum[j];
        result.source(i, j) = static_cast<float>(meaning + noise * random.normal());
        result.target(i, dimension - 1 - j) = static_cast<float>(meaning + noise * random.normal());
      }
    }
  });
  normalize_rows(result.source);
  normalize_rows(result.target);
  return result;
}

}  // namespace wordbridge::benchmarks
