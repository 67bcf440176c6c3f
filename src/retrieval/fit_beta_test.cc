#include "retrieval/fit_beta.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"
#include "retrieval/dense_criteria_test_support.h"
#include "search/neighbor_search.h"
#include "space/space_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::fit_beta_test {
namespace {

double likelihood(const Matrix& sources, const Matrix& targets, const Lexicon& lexicon, double beta) {
  const SoftmaxSums sums = dense_softmax_sums(sources, targets, beta);
  double sum = 0;
  for (const Lexicon::Pair& pair : lexicon.pairs())
    sum += beta * exact_score(sources.row(pair.source).data(), targets.row(pair.target).data(), sources.cols()) -
           sums.logs[pair.target];
  return sum;
}

TEST(FitBeta, MaximizesTheLikelihoodOfTheLexicon) {
  const Matrix sources = random_unit_rows(300, 10, 1);
  for (const double noise : {0.1, 0.3, 1.0}) {
    // Targets near their sources, and some pairs that share a target.
    Matrix targets = random_unit_rows(300, 10, 2);
    for (std::size_t i = 0; i < targets.size(); ++i)
      targets.data()[i] = static_cast<float>(noise) * targets.data()[i] + sources.data()[i];
    normalize_rows(targets);
    std::vector<Lexicon::Pair> pairs;
    for (WordId i = 0; i < 200; ++i) pairs.push_back({i, i});
    pairs.push_back({5, 3});
    pairs.push_back({7, 3});
    const Lexicon lexicon(pairs);
    const double beta = fit_beta(space_of(sources, targets), lexicon);
    EXPECT_GT(beta, kLeastBeta);
    EXPECT_LT(beta, kLargestBeta);
    const double best = likelihood(sources, targets, lexicon, beta);
    for (const double factor : {0.5, 0.96, 1.04, 2.0})
      EXPECT_GT(best, likelihood(sources, targets, lexicon, beta * factor)) << beta << " times " << factor;
  }
}

TEST(FitBeta, ByHand) {
  // One target with cosine 0.5 to its source word and cosines 1 and 0 to the two others. The slope
  // 0.5 - (e^b + 0.5 e^(b/2)) / (e^b + e^(b/2) + 1) is 0 where e^b = 1, and negative for all larger b: the least one.
  Matrix sources(3, 2), targets(1, 2);
  sources(0, 0) = 0.5f, sources(0, 1) = std::sqrt(0.75f), sources(1, 0) = 1, sources(2, 1) = 1, targets(0, 0) = 1;
  EXPECT_EQ(fit_beta(space_of(sources, targets), Lexicon({{0, 0}})), kLeastBeta);
  // A pair that is the nearest of all is the likelier, the larger beta is, until nothing is left to gain.
  EXPECT_GT(fit_beta(space_of(sources, targets), Lexicon({{1, 0}})), 30);
}

TEST(FitBeta, NeedsPairs) {
  Matrix table = random_unit_rows(5, 4, 1);
  std::fill_n(table.row(2).data(), 4, 0.0f);
  EXPECT_THROW(fit_beta(space_of(table, table), Lexicon()), UsageError);
  EXPECT_THROW(fit_beta(space_of(table, table), Lexicon({{2, 1}, {1, 2}})), UsageError);
}

}  // namespace
}  // namespace wordbridge::fit_beta_test
