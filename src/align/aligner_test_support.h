#pragma once
#include <cstdint>

#include "align/aligner.h"

namespace wordbridge {

/// A synthetic bilingual space: word i of one side translates word i of the other.
struct SyntheticPair {
  WordVectors source;  // n x d_s, unit rows
  WordVectors target;  // n x d_t: the source rows under `truth`, plus noise, unit rows
  Matrix truth;        // d_t x d_s, orthonormal rows or columns
  Lexicon lexicon;     // the first `pairs` words
};

struct SyntheticOptions {
  std::size_t words = 200;
  std::size_t source_dimension = 8;
  std::size_t target_dimension = 8;
  std::size_t pairs = 100;
  double noise = 0;  // standard deviation of each element
  std::uint64_t seed = 1;
};

/// A table whose words are the numbers of its rows.
WordVectors numbered_vectors(Matrix table);
/// The pairs (0, 0), (1, 1), ... (pairs - 1, pairs - 1).
Lexicon diagonal_lexicon(std::size_t pairs);

SyntheticPair synthetic_pair(const SyntheticOptions& options = {});

}  // namespace wordbridge
