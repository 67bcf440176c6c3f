#include "retrieval/inverted_softmax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "retrieval/dense_criteria_test_support.h"
#include "retrieval/nearest.h"
#include "search/neighbor_search.h"
#include "space/space_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

// What holds for every criterion is in criterion_contract_test.cc.
namespace wordbridge::inverted_softmax_test {

namespace {

using ::testing::ElementsAre;

TEST(SoftmaxSums, AsDefined) {
  // Sizes beside the blocks' and lanes'.
  for (const std::size_t words : {1, 7, 513, 1500}) {
    const Matrix sources = random_unit_rows(words, 20, 1), targets = random_unit_rows(129, 20, 2);
    for (const double beta : {0.01, 1.0, 30.0, 1000.0}) {
      const SoftmaxSums expected = dense_softmax_sums(sources, targets, beta),
                        found = softmax_sums(UnitRows::view(sources), targets, beta);
      ASSERT_EQ(found.logs.size(), expected.logs.size());
      for (std::size_t y = 0; y < found.logs.size(); ++y) {
        EXPECT_NEAR(found.logs[y], expected.logs[y], 1e-6 * beta + 1e-6) << beta;
        EXPECT_NEAR(found.means[y], expected.means[y], 1e-6 * beta + 1e-6) << beta;
      }
    }
  }
}

TEST(SoftmaxSums, ByHand) {
  // Cosines 1 and 0 with beta = log 3: the sum is 3 + 1, the mean (3 * 1 + 1 * 0) / 4. The zero row counts nothing.
  Matrix sources(3, 2), targets(1, 2);
  sources(0, 0) = 1, sources(2, 1) = 1, targets(0, 0) = 1;
  const SoftmaxSums sums = softmax_sums(UnitRows::view(sources), targets, std::log(3.0));
  EXPECT_NEAR(sums.logs[0], std::log(4.0), 1e-6);
  EXPECT_NEAR(sums.means[0], 0.75, 1e-6);
}

TEST(SoftmaxSums, WithoutSourceWords) {
  const Matrix targets = random_unit_rows(2, 3, 1);
  EXPECT_THAT(softmax_sums(UnitRows::take(Matrix(0, 3)), targets, 1).logs, ElementsAre(0, 0));
  EXPECT_THAT(softmax_sums(UnitRows::take(Matrix(4, 3)), targets, 1).means, ElementsAre(0, 0));
}

TEST(SoftmaxSums, SameWhateverTheThreads) {
  const Matrix sources = random_unit_rows(900, 12, 1), targets = random_unit_rows(700, 12, 2);
  const WithThreads one_thread(1);
  const SoftmaxSums one = softmax_sums(UnitRows::view(sources), targets, 30);
  const WithThreads three_threads(3);
  const SoftmaxSums three = softmax_sums(UnitRows::view(sources), targets, 30);
  EXPECT_EQ(one.logs, three.logs);
  EXPECT_EQ(one.means, three.means);
}

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

Matrix rows(std::size_t cols, std::vector<float> values) {
  return Matrix::copy_of({values.data(), values.size() / cols, cols});
}

// Two queries with a hub between them (see csls_test.cc):
//   cos       hub   up  down
//   q1        0.8  0.6  -0.6
//   q2        0.8 -0.6   0.6
// With beta = 1 the hub's normalizer is log(2 e^0.8), so its score is -log 2 = -0.693 for both; up gives q1
// 0.6 - log(e^0.6 + e^-0.6) = -log(1 + e^-1.2) = -0.263.
const Matrix kSources = rows(2, {0.8f, 0.6f, 0.8f, -0.6f});
const Matrix kTargets = rows(2, {1, 0, 0, 1, 0, -1});

TEST(InvertedSoftmax, LeavesTheHubThatNearestPicks) {
  EXPECT_THAT(Nearest(space_of(kSources, kTargets)).best(kSources, 1).targets, ElementsAre(0, 0));
  const InvertedSoftmax isf(space_of(kSources, kTargets), {.beta = 1});
  const Candidates best = isf.best(kSources, 3);
  EXPECT_THAT(best.targets, ElementsAre(1, 0, 2, 2, 0, 1));
  const double expected[] = {-std::log(1 + std::exp(-1.2)), -std::log(2.0), -std::log(1 + std::exp(1.2))};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(best.scores[i], expected[i % 3], 1e-6);
}

TEST(InvertedSoftmax, NoBetaOverflows) {
  const Matrix sources = random_unit_rows(100, 5, 1), targets = random_unit_rows(50, 5, 2);
  const InvertedSoftmax isf(space_of(sources, targets), {.beta = 1e6});
  for (const double score : isf.best(sources, 5).scores) EXPECT_TRUE(std::isfinite(score));
}

TEST(InvertedSoftmax, ASampleIsDrawnWithTheSeed) {
  const Matrix sources = random_unit_rows(400, 8, 1), targets = random_unit_rows(100, 8, 2);
  const auto scores = [&](std::size_t sample, std::uint64_t seed) {
    return InvertedSoftmax(space_of(sources, targets), {.sample = sample, .seed = seed}).best(sources, 3).scores;
  };
  EXPECT_EQ(scores(50, 1), scores(50, 1));
  EXPECT_NE(scores(50, 1), scores(50, 2));
  EXPECT_EQ(scores(400, 1), scores(0, 2));
  EXPECT_EQ(scores(1000, 1), scores(0, 2));
}

TEST(InvertedSoftmax, RefusesABetaOutOfRange) {
  for (const double beta : {0.0, -1.0, 1.1e6, double{INFINITY}, double{NAN}})
    EXPECT_THROW(InvertedSoftmax(space_of(kSources, kTargets), {.beta = beta}), UsageError);
}

}  // namespace

}  // namespace wordbridge::inverted_softmax_test
