#include "align/linear/least_squares.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "align/aligner_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::least_squares_test {
namespace {

WordVectors vectors(std::vector<std::string> words, std::size_t dimension, std::vector<float> values) {
  Matrix table(words.size(), dimension);
  std::ranges::copy(values, table.data());
  return {Vocabulary(words), std::move(table)};
}

TEST(LeastSquares, HandWorkedExact) {
  // x1 = (1, 0) -> (1, 2), x2 = (0, 2) -> (6, 8): the columns of W are (1, 2) and (3, 4).
  const WordVectors source = vectors({"a", "b"}, 2, {1, 0, 0, 2});
  const WordVectors target = vectors({"A", "B"}, 2, {1, 2, 6, 8});
  const Matrix w = LeastSquaresAligner().solve({source, target, Lexicon({{0, 0}, {1, 1}})}).source_map;
  Matrix expected(2, 2);
  std::ranges::copy(std::vector<float>{1, 3, 2, 4}, expected.data());
  EXPECT_LT(largest_difference(w, expected), 1e-5);
}

TEST(LeastSquares, HandWorkedOverdeterminedAndRidge) {
  // One dimension: x = 1, 2, 3, y = 1, 2, 5. W = sum xy / sum xx = 20 / 14; with λ = 6 it is 20 / 20.
  const WordVectors source = vectors({"a", "b", "c"}, 1, {1, 2, 3});
  const WordVectors target = vectors({"A", "B", "C"}, 1, {1, 2, 5});
  const Lexicon lexicon({{0, 0}, {1, 1}, {2, 2}});
  EXPECT_NEAR(LeastSquaresAligner().solve({source, target, lexicon}).source_map(0, 0), 20.0 / 14, 1e-6);
  EXPECT_NEAR(LeastSquaresAligner({.ridge = 6}).solve({source, target, lexicon}).source_map(0, 0), 1, 1e-6);
}

TEST(LeastSquares, RecoversAnyLinearMapWithUnequalDimensions) {
  for (const auto& [d_s, d_t] : {std::pair<std::size_t, std::size_t>{6, 6}, {6, 9}, {9, 6}, {1, 3}, {3, 1}}) {
    const Matrix truth = random_matrix(d_t, d_s, 1);
    const Matrix x = random_matrix(50, d_s, 2);
    std::vector<std::string> words;
    std::vector<Lexicon::Pair> pairs;
    for (WordId i = 0; i < 50; ++i) {
      words.push_back(std::to_string(i));
      pairs.push_back({i, i});
    }
    const WordVectors source{Vocabulary(words), x};
    const WordVectors target{Vocabulary(words), multiply_abt(x, truth)};
    const Matrix w = LeastSquaresAligner().solve({source, target, Lexicon(pairs)}).source_map;
    EXPECT_LT(largest_difference(w, truth), 1e-5);
  }
}

TEST(LeastSquares, FewerPairsThanDimensionsGiveTheSolutionOfLeastNorm) {
  // One pair x = (3, 4) -> 1: all W with W x = 1 fit; the shortest is x / 25.
  const WordVectors source = vectors({"a"}, 2, {3, 4});
  const WordVectors target = vectors({"A"}, 1, {1});
  const Matrix w = LeastSquaresAligner().solve({source, target, Lexicon({{0, 0}})}).source_map;
  EXPECT_NEAR(w(0, 0), 3.0 / 25, 1e-6);
  EXPECT_NEAR(w(0, 1), 4.0 / 25, 1e-6);
}

TEST(LeastSquares, GradientVanishesAtTheSolution) {
  // sum (W x − y) xᵀ + λ W = 0 for every λ.
  const SyntheticPair data = synthetic_pair({.source_dimension = 7, .target_dimension = 5, .noise = 0.3, .seed = 8});
  for (const double ridge : {0.0, 0.5, 20.0}) {
    const Matrix w = LeastSquaresAligner({.ridge = ridge}).solve({data.source, data.target, data.lexicon}).source_map;
    MatrixD gradient = to_double(w);
    for (double& value : gradient.elements()) value *= ridge;
    for (const auto& pair : data.lexicon.pairs()) {
      const auto x = data.source.table().row(pair.source), y = data.target.table().row(pair.target);
      for (std::size_t i = 0; i < w.rows(); ++i) {
        double residual = -y[i];
        for (std::size_t k = 0; k < x.size(); ++k) residual += static_cast<double>(w(i, k)) * x[k];
        for (std::size_t j = 0; j < x.size(); ++j) gradient(i, j) += residual * x[j];
      }
    }
    for (const double value : gradient.elements()) EXPECT_NEAR(value, 0, 1e-4) << "ridge " << ridge;
  }
}

TEST(LeastSquares, OptionsAreCheckedAndShown) {
  EXPECT_EQ(LeastSquaresAligner({.ridge = 0.25}).options().at("ridge"), "0.25");
  EXPECT_THROW(LeastSquaresAligner({.ridge = -1}), UsageError);
  EXPECT_THROW(LeastSquaresAligner({.ridge = std::numeric_limits<double>::quiet_NaN()}), UsageError);
  EXPECT_THROW(LeastSquaresAligner({.ridge = std::numeric_limits<double>::infinity()}), UsageError);
}

}  // namespace
}  // namespace wordbridge::least_squares_test
