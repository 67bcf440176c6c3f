#include "retrieval/rerank/listwise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "parallel/threads_test_support.h"

namespace wordbridge::listwise_test {
namespace {

constexpr std::size_t kFeatures = 4;

std::vector<const RankingExample*> pointers(const std::vector<RankingExample>& examples) {
  std::vector<const RankingExample*> list;
  for (const RankingExample& example : examples) list.push_back(&example);
  return list;
}

/// Lists of 8 candidates; one of them is right, drawn by the softmax of the planted weights.
std::vector<RankingExample> planted(std::span<const double> weights, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<RankingExample> examples(count);
  for (RankingExample& example : examples) {
    example.features = MatrixD(8, weights.size());
    for (double& value : example.features.elements()) value = random.normal();
    example.right.assign(8, 0);
    const std::vector<double> scores = scores_of(example.features, weights);
    double total = 0;
    for (const double score : scores) total += std::exp(score);
    double left = random.uniform() * total;
    std::size_t chosen = 0;
    while (chosen < 7 && (left -= std::exp(scores[chosen])) > 0) ++chosen;
    example.right[chosen] = 1;
  }
  return examples;
}

TEST(ListwiseLoss, KnownAnswer) {
  RankingExample example{MatrixD(3, 1), {1, 0, 1}};
  example.features(0, 0) = 1, example.features(1, 0) = 0, example.features(2, 0) = -1;
  const std::vector<RankingExample> examples = {example};
  const std::vector<double> weights = {2};
  std::vector<double> gradient(1);
  const double right = std::exp(2.0) + std::exp(-2.0);
  const ListwiseLoss loss(pointers(examples), {.l2 = 0.5, .center = {1}, .center_weight = 0.25});
  EXPECT_NEAR(loss(weights, gradient), -std::log(right / (right + 1)) + 0.5 * 4 + 0.25 * 1, 1e-12);
}

TEST(ListwiseLoss, GradientIsThatOfFiniteDifferences) {
  Random random(4);
  auto examples = planted(std::vector<double>{1, -1, 0.5, 0}, 150, 7);
  examples[3].right.assign(8, 1);  // nothing to learn from these
  examples[5].right.assign(8, 0);
  examples[8].right[0] = examples[8].right[1] = 1;
  const ListwiseLoss loss(pointers(examples), {.l2 = 0.01, .center = {1, 2, 3, 4}, .center_weight = 0.1});
  std::vector<double> weights(kFeatures), gradient(kFeatures), unused(kFeatures);
  for (double& weight : weights) weight = random.normal();
  loss(weights, gradient);
  for (std::size_t j = 0; j < kFeatures; ++j) {
    const double step = 1e-5, before = weights[j];
    weights[j] = before + step;
    const double above = loss(weights, unused);
    weights[j] = before - step;
    const double below = loss(weights, unused);
    weights[j] = before;
    EXPECT_NEAR(gradient[j], (above - below) / (2 * step), 1e-8);
  }
}

TEST(FitListwise, RecoversPlantedWeights) {
  const std::vector<double> weights = {2, -1, 0.5, 0};
  const auto examples = planted(weights, 4000, 9);
  const auto found = fit_listwise(pointers(examples), kFeatures, {.l2 = 1e-6});
  for (std::size_t j = 0; j < kFeatures; ++j) EXPECT_NEAR(found[j], weights[j], 0.12);
}

TEST(FitListwise, FewExamplesStayNearTheCenter) {
  const auto examples = planted(std::vector<double>{2, -1, 0.5, 0}, 20, 9);
  const std::vector<double> center = {0, 0, 0, 3};
  const auto free = fit_listwise(pointers(examples), kFeatures, {.l2 = 0, .center = center, .center_weight = 1e-3});
  const auto held = fit_listwise(pointers(examples), kFeatures, {.l2 = 0, .center = center, .center_weight = 10});
  for (std::size_t j = 0; j < kFeatures; ++j) EXPECT_NEAR(held[j], center[j], 0.1);
  EXPECT_GT(std::abs(free[3] - 3), 0.5);
  EXPECT_EQ(fit_listwise({}, kFeatures, {.center = center, .center_weight = 1}), center);
  EXPECT_EQ(fit_listwise({}, 2), std::vector<double>(2));
}

TEST(FitListwise, IsTheSameForAnyNumberOfThreads) {
  const auto examples = planted(std::vector<double>{2, -1, 0.5, 0}, 500, 3);
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 5}) {
    const WithThreads with(threads);
    results.push_back(fit_listwise(pointers(examples), kFeatures));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace wordbridge::listwise_test
