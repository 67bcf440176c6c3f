#include "retrieval/inverted_softmax.h"

#include <gmock/gmock.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"
#include "retrieval/nearest.h"
#include "space/space_test_support.h"
#include "wordbridge/error.h"

// What holds for every criterion is in criterion_contract_test.cc.

namespace wordbridge::inverted_softmax_test {
namespace {

using ::testing::ElementsAre;

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
