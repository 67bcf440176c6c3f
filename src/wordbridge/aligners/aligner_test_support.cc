#include "wordbridge/aligners/aligner_test_support.h"

#include <string>
#include <utility>
#include <vector>

#include "wordbridge/base/random.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/random_matrix_test_support.h"

namespace wordbridge {

namespace {

WordVectors named(const char* prefix, Matrix table) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < table.rows(); ++i) words.push_back(prefix + std::to_string(i));
  return {Vocabulary(words), std::move(table)};
}

}  // namespace

SyntheticPair synthetic_pair(const SyntheticOptions& options) {
  Matrix x = random_unit_rows(options.words, options.source_dimension, options.seed);
  Matrix truth = random_orthogonal(options.target_dimension, options.source_dimension, options.seed + 1);
  Matrix y = multiply_abt(x, truth);
  Random random(options.seed + 2);
  if (options.noise > 0)
    for (float& value : y.elements()) value += static_cast<float>(options.noise * random.normal());
  normalize_rows(y);
  std::vector<Lexicon::Pair> pairs;
  for (std::size_t i = 0; i < options.pairs; ++i) pairs.push_back({static_cast<WordId>(i), static_cast<WordId>(i)});
  return {named("s", std::move(x)), named("t", std::move(y)), std::move(truth), Lexicon(std::move(pairs))};
}

}  // namespace wordbridge
