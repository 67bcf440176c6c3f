#include "align/aligner_test_support.h"

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge {

namespace {

WordVectors named(const char* prefix, Matrix table) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < table.rows(); ++i) words.push_back(prefix + std::to_string(i));
  return {Vocabulary(words), std::move(table)};
}

}  // namespace

WordVectors numbered_vectors(Matrix table) { return named("", std::move(table)); }

Lexicon diagonal_lexicon(std::size_t pairs) {
  std::vector<Lexicon::Pair> list;
  for (WordId i = 0; i < pairs; ++i) list.push_back({i, i});
  return Lexicon(std::move(list));
}

SyntheticPair synthetic_pair(const SyntheticOptions& options) {
  Matrix x = random_unit_rows(options.words, options.source_dimension, options.seed);
  Matrix truth = random_orthogonal(options.target_dimension, options.source_dimension, options.seed + 1);
  Matrix y = multiply_abt(x, truth);
  Random random(options.seed + 2);
  if (options.noise > 0)
    for (float& value : y.elements()) value += static_cast<float>(options.noise * random.normal());
  normalize_rows(y);
  return {named("s", std::move(x)), named("t", std::move(y)), std::move(truth), diagonal_lexicon(options.pairs)};
}

}  // namespace wordbridge
