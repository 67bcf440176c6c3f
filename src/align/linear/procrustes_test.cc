#include "align/linear/procrustes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "align/aligner_test_support.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::procrustes_test {
namespace {

WordVectors vectors(std::vector<std::string> words, std::size_t dimension, std::vector<float> values) {
  Matrix table(words.size(), dimension);
  std::ranges::copy(values, table.data());
  return {Vocabulary(words), std::move(table)};
}

/// Largest deviation of the rows (or, where there are more rows than columns, the columns) from being orthonormal.
double distance_from_orthonormal(const Matrix& w) {
  const Matrix gram = w.rows() <= w.cols() ? multiply_abt(w, w) : multiply_abt(transpose(w), transpose(w));
  return largest_difference(gram, Matrix::identity(gram.rows()));
}

TEST(ProcrustesRotation, TakesTheRowsThatThePairsName) {
  // A quarter turn between rows 2 and 0 of the source and rows 1 and 2 of the target; the others would spoil it.
  const Matrix source = vectors({"a", "b", "c"}, 2, {0, 1, 5, 5, 1, 0}).table();
  const Matrix target = vectors({"A", "B", "C"}, 2, {7, 0, 0, 1, -1, 0}).table();
  const MatrixD w = procrustes_rotation(source, target, std::vector<Lexicon::Pair>{{2, 1}, {0, 2}});
  EXPECT_NEAR(w(0, 0), 0, 1e-12);
  EXPECT_NEAR(w(0, 1), -1, 1e-12);
  EXPECT_NEAR(w(1, 0), 1, 1e-12);
  EXPECT_NEAR(w(1, 1), 0, 1e-12);
}

TEST(Procrustes, HandWorkedRotation) {
  // x1 = (1, 0) -> y1 = (0, 1) and x2 = (0, 1) -> y2 = (-1, 0): a quarter turn, W = [[0, -1], [1, 0]].
  const WordVectors source = vectors({"a", "b"}, 2, {1, 0, 0, 1});
  const WordVectors target = vectors({"A", "B"}, 2, {0, 1, -1, 0});
  const auto result = ProcrustesAligner().solve({source, target, Lexicon({{0, 0}, {1, 1}})});
  Matrix expected(2, 2);
  expected(0, 1) = -1;
  expected(1, 0) = 1;
  EXPECT_LT(largest_difference(result.source_map, expected), 1e-6);
  EXPECT_FALSE(result.target_map.has_value());
  EXPECT_NEAR(result.metrics.at("mean_cosine"), 1, 1e-6);
  EXPECT_NEAR(result.metrics.at("relative_error"), 0, 1e-6);
}

TEST(Procrustes, HandWorkedCompromise) {
  // Both words want (1, 0), from 45 degrees above and below: Yᵀ X = [[sqrt(2), 0], [0, 0]]. The first axis stays; the
  // second, which no pair decides, stays up to its sign.
  const float h = std::sqrt(0.5f);
  const WordVectors source = vectors({"a", "b"}, 2, {h, h, h, -h});
  const WordVectors target = vectors({"A"}, 2, {1, 0});
  const Matrix w = ProcrustesAligner().solve({source, target, Lexicon({{0, 0}, {1, 0}})}).source_map;
  EXPECT_NEAR(w(0, 0), 1, 1e-6);
  EXPECT_NEAR(w(0, 1), 0, 1e-6);
  EXPECT_NEAR(w(1, 0), 0, 1e-6);
  EXPECT_NEAR(std::abs(w(1, 1)), 1, 1e-6);
}

TEST(Procrustes, ReflectionsAreAllowed) {
  const WordVectors source = vectors({"a", "b"}, 2, {1, 0, 0, 1});
  const WordVectors target = vectors({"A", "B"}, 2, {1, 0, 0, -1});
  const Matrix w = ProcrustesAligner().solve({source, target, Lexicon({{0, 0}, {1, 1}})}).source_map;
  EXPECT_NEAR(w(1, 1), -1, 1e-6);
}

TEST(Procrustes, RecoversARotationFromNoise) {
  const SyntheticPair data = synthetic_pair(
      {.words = 3000, .source_dimension = 20, .target_dimension = 20, .pairs = 3000, .noise = 0.05, .seed = 3});
  const Matrix w = ProcrustesAligner().solve({data.source, data.target, data.lexicon}).source_map;
  EXPECT_LT(largest_difference(w, data.truth), 0.02);
  EXPECT_LT(distance_from_orthonormal(w), 1e-5);
}

TEST(Procrustes, UnequalDimensionsGiveSemiOrthogonalMaps) {
  for (const auto& [source, target] : {std::pair<std::size_t, std::size_t>{12, 7}, {7, 12}, {5, 1}, {1, 5}}) {
    const SyntheticPair data =
        synthetic_pair({.source_dimension = source, .target_dimension = target, .noise = 0.1, .seed = 4});
    const Matrix w = ProcrustesAligner().solve({data.source, data.target, data.lexicon}).source_map;
    ASSERT_EQ(w.rows(), target);
    ASSERT_EQ(w.cols(), source);
    EXPECT_LT(distance_from_orthonormal(w), 1e-5);
  }
}

TEST(Procrustes, EmbedsASmallerSpaceExactly) {
  const SyntheticPair data = synthetic_pair({.source_dimension = 6, .target_dimension = 9, .seed = 5});
  const Matrix w = ProcrustesAligner().solve({data.source, data.target, data.lexicon}).source_map;
  EXPECT_LT(largest_difference(w, data.truth), 1e-5);
}

TEST(Procrustes, FewerPairsThanDimensionsStillGiveAnOrthogonalMapThatFitsThem) {
  const SyntheticPair data = synthetic_pair({.source_dimension = 30, .target_dimension = 30, .pairs = 10, .seed = 6});
  const auto result = ProcrustesAligner().solve({data.source, data.target, data.lexicon});
  EXPECT_LT(distance_from_orthonormal(result.source_map), 1e-5);
  EXPECT_NEAR(result.metrics.at("mean_cosine"), 1, 1e-5);
  EXPECT_EQ(result.metrics.at("pairs"), 10);
}

TEST(Procrustes, NoOrthogonalMapIsCloser) {
  const SyntheticPair data = synthetic_pair({.noise = 0.3, .seed = 7});
  const AlignmentProblem problem{data.source, data.target, data.lexicon};
  const auto error = [&](const Matrix& w) {
    double sum = 0;
    const Matrix mapped = multiply_abt(data.source.table(), w);
    for (const auto& pair : data.lexicon.pairs())
      for (std::size_t j = 0; j < mapped.cols(); ++j)
        sum += std::pow(mapped(pair.source, j) - data.target.table()(pair.target, j), 2);
    return sum;
  };
  const double best = error(ProcrustesAligner().solve(problem).source_map);
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    // Orthogonal maps near the solution are the hard rivals.
    MatrixD near = to_double(data.truth);
    const Matrix noise = random_matrix(near.rows(), near.cols(), seed);
    for (std::size_t i = 0; i < near.size(); ++i) near.data()[i] += 0.05 * noise.data()[i];
    EXPECT_LT(best, error(to_float(nearest_orthogonal(near))));
  }
}

}  // namespace
}  // namespace wordbridge::procrustes_test
