#include "optimize/contrastive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/random.h"
#include "linalg/random_map_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "optimize/objective_test_support.h"
#include "parallel/threads_test_support.h"
#include "search/brute_force_search_test_support.h"

namespace wordbridge::contrastive_test {
namespace {

struct Problem {
  Problem(std::size_t sources, std::size_t count, std::size_t d_s, std::size_t d_t)
      : inputs(random_matrix(sources, d_s, 1)), targets(random_unit_rows(count, d_t, 2)) {
    for (std::uint32_t i = 0; i < sources; ++i) pairs.push_back({i, i});
    near = BruteForceSearch(targets).search(targets.view().slice(0, sources), 6);
    start = random_map(d_t, d_s + 1, 0.3, 7);
  }
  ContrastiveObjective objective(const ContrastiveOptions& options) const {
    return {inputs, targets, pairs, near, start, options};
  }

  Matrix inputs, targets;
  std::vector<Lexicon::Pair> pairs;
  Neighbors near;
  MatrixD start;
};

double cosine(std::span<const double> z, std::span<const float> y) {
  double product = 0, square = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    product += z[j] * y[j];
    square += z[j] * z[j];
  }
  return product / std::sqrt(square);
}

std::vector<double> mapped(const Problem& p, ConstMatrixViewD w, std::uint32_t source) {
  std::vector<double> z(w.rows());
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] = w(i, w.cols() - 1);
    for (std::size_t j = 0; j + 1 < w.cols(); ++j) z[i] += w(i, j) * p.inputs(source, j);
  }
  return z;
}

bool is_match(const Problem& p, std::uint32_t source, std::uint32_t target) {
  return std::ranges::any_of(p.pairs, [&](const auto& pair) {
    return pair.source == source && std::ranges::equal(p.targets.row(pair.target), p.targets.row(target));
  });
}

/// The formula, pair by pair, in double: the forward term over all targets, the backward one over the pairs, and λ.
double plain_loss(const Problem& p, ConstMatrixViewD w, const ContrastiveOptions& o) {
  double loss = 0;
  for (const auto& pair : p.pairs) {
    const std::vector<double> z = mapped(p, w, pair.source);
    double sum = 0, wanted = (1 - o.smoothing) * cosine(z, p.targets.row(pair.target)) / o.temperature;
    for (std::uint32_t j = 0; j < p.targets.rows(); ++j)
      if (j == pair.target || !is_match(p, pair.source, j))
        sum += std::exp(cosine(z, p.targets.row(j)) / o.temperature);
    double shares = 0, near = 0;
    for (std::size_t k = 0; k < p.near.found; ++k) {
      const std::uint32_t row = p.near.ids_of(pair.target)[k];
      if (is_match(p, pair.source, row)) continue;
      const double share = std::exp((p.near.scores_of(pair.target)[k] - 1) / o.near_temperature);
      shares += share;
      near += share * cosine(z, p.targets.row(row)) / o.temperature;
    }
    if (shares > 0) wanted += o.smoothing * near / shares;
    loss += std::log(sum) - wanted;
  }
  if (o.backward > 0)
    for (const auto& pair : p.pairs) {
      double sum = 0;
      for (const auto& other : p.pairs)
        if (other == pair || !is_match(p, other.source, pair.target))
          sum += std::exp(cosine(mapped(p, w, other.source), p.targets.row(pair.target)) / o.temperature);
      loss +=
          o.backward * (std::log(sum) - cosine(mapped(p, w, pair.source), p.targets.row(pair.target)) / o.temperature);
    }
  double away = 0;
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (std::size_t j = 0; j < w.cols(); ++j) away += (w(i, j) - p.start(i, j)) * (w(i, j) - p.start(i, j));
  return loss / static_cast<double>(p.pairs.size()) + o.decay * away;
}

const ContrastiveOptions kCases[] = {
    {.temperature = 0.2},
    {.temperature = 0.1, .decay = 0.3},
    {.temperature = 0.2, .smoothing = 0.3, .near_temperature = 0.1},
    {.temperature = 0.5, .negatives = 0, .backward = 0.7, .decay = 0.1, .smoothing = 0.2},
};

TEST(ContrastiveTest, EqualsTheFormula) {
  const Problem p(40, 60, 5, 4);
  for (const ContrastiveOptions& options : kCases)
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const MatrixD w = random_map(4, 6, 0.5, seed);
      EXPECT_NEAR(p.objective(options).evaluate(w).loss(), plain_loss(p, w, options), 2e-5);
    }
}

/// Both sides mapped, in double; the columns of `w` are (W b V c).
double plain_loss_of_both(const Problem& p, ConstMatrixViewD w, double temperature) {
  const std::size_t first = p.inputs.cols() + 1;
  const auto unit = [&](std::span<const float> row, std::size_t offset) {
    std::vector<double> z(w.rows());
    double square = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      z[i] = w(i, offset + row.size());
      for (std::size_t j = 0; j < row.size(); ++j) z[i] += w(i, offset + j) * row[j];
      square += z[i] * z[i];
    }
    for (double& value : z) value /= std::sqrt(square);
    return z;
  };
  double loss = 0;
  for (const auto& pair : p.pairs) {
    const std::vector<double> query = unit(p.inputs.row(pair.source), 0);
    double sum = 0, wanted = 0;
    for (std::uint32_t j = 0; j < p.targets.rows(); ++j) {
      const std::vector<double> item = unit(p.targets.row(j), first);
      double score = 0;
      for (std::size_t i = 0; i < item.size(); ++i) score += query[i] * item[i] / temperature;
      sum += std::exp(score);
      if (j == pair.target) wanted = score;
    }
    loss += std::log(sum) - wanted;
  }
  return loss / static_cast<double>(p.pairs.size());
}

TEST(ContrastiveTest, BothSidesMayMove) {
  Problem p(12, 20, 5, 4);
  const ContrastiveOptions options{.temperature = 0.3, .negatives = 0, .both_sides = true};
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const MatrixD w = random_map(3, 6 + 5, 0.5, seed);
    p.start = w;
    ContrastiveObjective objective = p.objective(options);
    EXPECT_NEAR(objective.evaluate(w).loss(), plain_loss_of_both(p, w, options.temperature), 2e-5);
    const auto evaluate = [&](ConstMatrixViewD at) {
      ObjectiveValue value = objective.evaluate(at);
      value.loss_sum = plain_loss_of_both(p, at, options.temperature) * value.pairs;
      return value;
    };
    EXPECT_LT(gradient_error(evaluate, w, 1e-5, seed), 1e-4);
    std::vector<std::size_t> batch(p.pairs.size());
    std::iota(batch.begin(), batch.end(), std::size_t{0});
    const ObjectiveValue one = objective.evaluate_batch(w, batch);
    const WithThreads three(3);
    EXPECT_EQ(objective.evaluate_batch(w, batch).gradient_sum, one.gradient_sum) << "the same bits for any threads";
  }
}

TEST(ContrastiveTest, GradientIsTheDerivative) {
  // The loss of the formula, in double, at each side; the gradient of the objective, whose products are in float.
  const Problem p(12, 20, 3, 3);
  for (const ContrastiveOptions& options : kCases) {
    ContrastiveObjective objective = p.objective(options);
    const auto evaluate = [&](ConstMatrixViewD w) {
      ObjectiveValue value = objective.evaluate(w);
      value.loss_sum = plain_loss(p, w, options) * value.pairs;
      return value;
    };
    for (std::uint64_t seed = 10; seed < 13; ++seed)
      EXPECT_LT(gradient_error(evaluate, random_map(3, 4, 0.5, seed), 1e-5, seed), 1e-4);
  }
}

TEST(ContrastiveTest, ABatchOfAllPairsWithAllTargetsIsTheWhole) {
  const Problem p(40, 60, 5, 4);
  ContrastiveObjective objective = p.objective({.temperature = 0.2, .negatives = 0, .smoothing = 0.1});
  std::vector<std::size_t> all(40);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const MatrixD w = random_map(4, 6, 0.5, 1);
  const ObjectiveValue whole = objective.evaluate(w), batch = objective.evaluate_batch(w, all);
  EXPECT_EQ(whole.loss_sum, batch.loss_sum);
  EXPECT_EQ(whole.gradient_sum, batch.gradient_sum);
}

TEST(ContrastiveTest, SampledNegativesLeaveOutOnlyNegatives) {
  // Fewer terms in the sum: the loss is smaller, and no smaller than with the own targets of the batch alone.
  const Problem p(40, 200, 5, 4);
  std::vector<std::size_t> all(40);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const MatrixD w = random_map(4, 6, 0.5, 1);
  const auto loss = [&](std::size_t negatives) {
    return p.objective({.temperature = 0.2, .negatives = negatives}).evaluate_batch(w, all).loss();
  };
  EXPECT_LT(loss(1), loss(50));
  EXPECT_LT(loss(50), loss(0));
  EXPECT_EQ(loss(200), p.objective({.temperature = 0.2, .negatives = 200}).evaluate_batch(w, all).loss());
}

TEST(ContrastiveTest, CopiesAndOtherMatchesAreNoNegatives) {
  // Target 1 equals target 0, and source 0 has target 2 as well: pair (0, 0) is compared with target 3 alone. By hand:
  // W = I, b = 0, x = y = (1, 0) against (0, 1): −log(e^1 / (e^1 + e^0)) = log(1 + 1/e), t = 1.
  Problem p(1, 4, 2, 2);
  const float rows[4][2] = {{1, 0}, {1, 0}, {0.6f, 0.8f}, {0, 1}};
  for (std::size_t i = 0; i < 4; ++i) std::copy_n(rows[i], 2, p.targets.row(i).data());
  p.inputs(0, 0) = 1, p.inputs(0, 1) = 0;
  p.pairs = {{0, 0}, {0, 2}};
  MatrixD w(2, 3);
  w(0, 0) = w(1, 1) = 1;
  const Neighbors none;
  ContrastiveObjective objective(p.inputs, p.targets, p.pairs, none, w, {.temperature = 1});
  const std::size_t first[] = {0};
  EXPECT_NEAR(objective.evaluate_batch(w, first).loss(), std::log(1 + std::exp(-1.0)), 1e-6);
  // And pair (0, 2) too: cosine 0.6 against 0.
  const std::size_t second[] = {1};
  EXPECT_NEAR(objective.evaluate_batch(w, second).loss(), std::log(1 + std::exp(-0.6)), 1e-6);
}

TEST(ContrastiveTest, DropoutKeepsTheMean) {
  // With inputs of one element, a dropped one leaves the intercept alone: two losses there are, and no third.
  Problem p(40, 60, 1, 3);
  ContrastiveObjective objective = p.objective({.temperature = 0.3, .negatives = 0, .dropout = 0.25});
  const MatrixD w = random_map(3, 2, 0.5, 1);
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t one[] = {i};
    const double loss = objective.evaluate_batch(w, one).loss();
    const auto at = [&](float scale) {
      Problem alone = p;
      alone.inputs(i, 0) *= scale;
      return alone.objective({.temperature = 0.3, .negatives = 0}).evaluate_batch(w, one).loss();
    };
    const bool is_dropped = std::abs(loss - at(0)) < 1e-5;
    dropped += is_dropped;
    if (!is_dropped) {
      EXPECT_NEAR(loss, at(1 / 0.75f), 1e-5);
    }
  }
  EXPECT_GT(dropped, 2u);
  EXPECT_LT(dropped, 20u);
}

TEST(ContrastiveTest, TheSameBitsForAnyNumberOfThreads) {
  const Problem p(300, 700, 9, 7);
  std::vector<std::size_t> batch(250);
  std::iota(batch.begin(), batch.end(), std::size_t{20});
  const MatrixD w = random_map(7, 10, 0.5, 1);
  const ContrastiveOptions options{
      .temperature = 0.1, .negatives = 300, .hard = 2, .backward = 0.5, .smoothing = 0.1, .dropout = 0.2};
  std::optional<ObjectiveValue> first;
  for (const int threads : {1, 2, 5}) {
    const WithThreads with(threads);
    const ObjectiveValue value = p.objective(options).evaluate_batch(w, batch);
    if (!first) first = value;
    EXPECT_EQ(value.loss_sum, first->loss_sum);
    EXPECT_EQ(value.gradient_sum, first->gradient_sum);
  }
}

}  // namespace
}  // namespace wordbridge::contrastive_test
