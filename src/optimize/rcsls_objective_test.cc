#include "optimize/rcsls_objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "linalg/random_map_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "optimize/objective_test_support.h"
#include "optimize/rcsls_objective_test_support.h"
#include "parallel/communicator_test_support.h"
#include "parallel/threads_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/neighbor_search.h"
#include "wordbridge/error.h"

namespace wordbridge::rcsls_objective_test {

namespace {

/// What the convexity of the loss rests on, over all terms and temperatures.
class NeighborTermContract : public testing::TestWithParam<std::tuple<const char*, double>> {
 protected:
  std::unique_ptr<NeighborTerm> term = make_neighbor_term(std::get<0>(GetParam()), std::get<1>(GetParam()));

  double value(const std::vector<double>& scores) const {
    std::vector<double> weights(scores.size());
    return term->evaluate(scores, weights);
  }
  static std::vector<double> random_scores(std::size_t count, Random& random) {
    std::vector<double> scores(count);
    for (double& score : scores) score = 2 * random.uniform() - 1;
    return scores;
  }
};

TEST_P(NeighborTermContract, KnowsItsName) { EXPECT_EQ(term->name(), std::get<0>(GetParam())); }

TEST_P(NeighborTermContract, WeightsAreTheDerivatives) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> scores = random_scores(1 + random.index(12), random), weights(scores.size());
    term->evaluate(scores, weights);
    const double step = 1e-5;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double score = scores[i];
      scores[i] = score + step;
      const double above = value(scores);
      scores[i] = score - step;
      const double below = value(scores);
      scores[i] = score;
      EXPECT_NEAR(weights[i], (above - below) / (2 * step), 1e-6);
    }
  }
}

TEST_P(NeighborTermContract, WeightsAreNotNegativeAndSumToOne) {
  Random random(2);
  std::vector<double> scores = random_scores(10, random), weights(10);
  term->evaluate(scores, weights);
  double sum = 0;
  for (const double weight : weights) {
    EXPECT_GE(weight, 0);
    sum += weight;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST_P(NeighborTermContract, IsConvexAndSymmetric) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> a = random_scores(6, random);
    const std::vector<double> b = random_scores(6, random);
    const double t = random.uniform();
    std::vector<double> between(6);
    for (std::size_t i = 0; i < 6; ++i) between[i] = (1 - t) * a[i] + t * b[i];
    EXPECT_LE(value(between), (1 - t) * value(a) + t * value(b) + 1e-12);
    const double before = value(a);
    random.shuffle(a);
    EXPECT_NEAR(value(a), before, 1e-12);
  }
}

TEST_P(NeighborTermContract, TheLargestScoresGiveTheMaximumOverAllSubsets) {
  // The identity behind the paper's "Convex relaxation": over all 3-subsets of 8 scores.
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> scores = random_scores(8, random);
    double largest = -std::numeric_limits<double>::infinity();
    for (unsigned subset = 0; subset < 256; ++subset) {
      std::vector<double> chosen;
      for (std::size_t i = 0; i < 8; ++i)
        if (subset >> i & 1) chosen.push_back(scores[i]);
      if (chosen.size() == 3) largest = std::max(largest, value(chosen));
    }
    std::sort(scores.rbegin(), scores.rend());
    EXPECT_NEAR(value({scores[0], scores[1], scores[2]}), largest, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, NeighborTermContract,
                         testing::Combine(testing::Values("mean", "logsumexp"), testing::Values(1.0, 0.1, 5.0)));

TEST(NeighborTermTest, KnownAnswers) {
  const std::vector<double> scores = {0.5, -0.25};
  std::vector<double> weights(2);
  EXPECT_DOUBLE_EQ(make_neighbor_term("mean")->evaluate(scores, weights), 0.125);
  EXPECT_THAT(weights, testing::ElementsAre(0.5, 0.5));
  // log(e^0.5 + e^-0.25); the softmax of a difference of 0.75.
  EXPECT_NEAR(make_neighbor_term("logsumexp")->evaluate(scores, weights), std::log(1.6487212707 + 0.7788007831), 1e-9);
  EXPECT_NEAR(weights[0], 1 / (1 + std::exp(-0.75)), 1e-12);
  // With T = 0.5: half of log(e^1 + e^-0.5).
  EXPECT_NEAR(make_neighbor_term("logsumexp", 0.5)->evaluate(scores, weights),
              0.5 * std::log(2.7182818285 + 0.6065306597), 1e-9);
}

TEST(NeighborTermTest, LogSumExpNeitherOverflowsNorVanishes) {
  std::vector<double> weights(2);
  const auto term = make_neighbor_term("logsumexp", 1e-3);
  EXPECT_NEAR(term->evaluate(std::vector<double>{900, 899}, weights), 900, 1e-9);
  EXPECT_EQ(weights[0], 1);
  EXPECT_NEAR(term->evaluate(std::vector<double>{-900, -900}, weights), -900 + 1e-3 * std::log(2.0), 1e-9);
  EXPECT_EQ(weights[1], 0.5);
}

TEST(MakeNeighborTermTest, RefusesWhatItCannotDo) {
  EXPECT_THROW(make_neighbor_term("median"), UsageError);
  for (const double temperature :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(make_neighbor_term("logsumexp", temperature), UsageError);
}

struct Case {
  std::size_t d_s, d_t;
  bool extended;
  const char* loss;
  double temperature;
  bool weighted = false;
};

class RcslsCases : public testing::TestWithParam<Case> {
 protected:
  RcslsProblem problem{200,
                       170,
                       GetParam().d_s,
                       GetParam().d_t,
                       GetParam().extended,
                       GetParam().loss,
                       GetParam().temperature,
                       5,
                       GetParam().weighted};
  MatrixD random_w(std::uint64_t seed) const { return random_map(GetParam().d_t, GetParam().d_s, 0.5, seed); }
};

TEST_P(RcslsCases, EqualsTheFormula) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const MatrixD w = random_w(seed);
    const ObjectiveValue fast = problem.objective.evaluate(w), plain = problem.plain(w);
    EXPECT_NEAR(fast.pairs, plain.pairs, 1e-12);
    EXPECT_NEAR(fast.loss_sum, plain.loss_sum, 1e-9);
    EXPECT_LT(largest_difference(fast.gradient_sum, plain.gradient_sum), 1e-9);
    EXPECT_EQ(fast.searched, problem.words.source_rows().size() + problem.words.target_rows().size());
    EXPECT_EQ(fast.saved_scans, 0u);
  }
}

TEST_P(RcslsCases, GradientIsTheDerivative) {
  // A step so small that no neighbor changes places: between kinks the mean's loss is linear.
  for (std::uint64_t seed = 10; seed < 13; ++seed)
    EXPECT_LT(
        gradient_error([&](ConstMatrixViewD at) { return problem.objective.evaluate(at); }, random_w(seed), 1e-6, seed),
        1e-6);
}

TEST_P(RcslsCases, IsConvexAlongSegments) {
  Random random(5);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MatrixD a = random_w(2 * seed), b = random_w(2 * seed + 1);
    const double fa = problem.objective.evaluate(a).loss(), fb = problem.objective.evaluate(b).loss();
    for (int i = 0; i < 3; ++i) {
      const double t = random.uniform();
      MatrixD between = a;
      for (std::size_t j = 0; j < a.size(); ++j) between.data()[j] = (1 - t) * a.data()[j] + t * b.data()[j];
      EXPECT_LE(problem.objective.evaluate(between).loss(), (1 - t) * fa + t * fb + 1e-7);
    }
  }
}

TEST_P(RcslsCases, SubgradientSupportsTheLoss) {
  // f(B) >= f(A) + <G(A), B − A>: what makes a subgradient one, kinks included.
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const MatrixD a = random_w(2 * seed), b = random_w(2 * seed + 1);
    const ObjectiveValue at = problem.objective.evaluate(a);
    double bound = at.loss();
    for (std::size_t j = 0; j < a.size(); ++j)
      bound += at.gradient_sum.data()[j] / at.pairs * (b.data()[j] - a.data()[j]);
    EXPECT_GE(problem.objective.evaluate(b).loss(), bound - 1e-7);
  }
}

TEST_P(RcslsCases, BatchesAreSubsetsOfThePairs) {
  const MatrixD w = random_w(1);
  const std::vector<std::size_t> batch = {59, 3, 17, 4, 5, 20, 33, 34, 35};
  std::vector<Lexicon::Pair> chosen;
  for (const std::size_t index : batch) chosen.push_back(problem.pairs[index]);
  const ObjectiveValue fast = problem.objective.evaluate_batch(w, batch);
  const ObjectiveValue plain = plain_rcsls(problem.source, problem.target, chosen, problem.source_pool,
                                           problem.target_pool, *problem.term, problem.k, w);
  EXPECT_NEAR(fast.pairs, plain.pairs, 1e-12);
  EXPECT_NEAR(fast.loss_sum, plain.loss_sum, 1e-9);
  EXPECT_LT(largest_difference(fast.gradient_sum, plain.gradient_sum), 1e-9);
}

TEST_P(RcslsCases, ThreadsChangeNoBit) {
  const MatrixD w = random_w(2);
  const WithThreads one_thread(1);
  const ObjectiveValue one = problem.objective.evaluate(w);
  const WithThreads three_threads(3);
  const ObjectiveValue three = problem.objective.evaluate(w);
  EXPECT_EQ(one.loss_sum, three.loss_sum);
  EXPECT_EQ(one.gradient_sum, three.gradient_sum);
}

INSTANTIATE_TEST_SUITE_P(All, RcslsCases,
                         testing::Values(Case{12, 12, true, "mean", 1}, Case{12, 12, false, "mean", 1},
                                         Case{9, 14, true, "mean", 1}, Case{14, 9, false, "mean", 1},
                                         Case{12, 12, true, "logsumexp", 1}, Case{9, 14, true, "logsumexp", 0.1},
                                         Case{14, 9, false, "logsumexp", 0.5}, Case{9, 14, true, "mean", 1, true},
                                         Case{14, 9, false, "logsumexp", 0.5, true}),
                         [](const auto& each) {
                           const Case& c = each.param;
                           return std::string(c.loss) + (c.extended ? "_extended_" : "_train_") +
                                  std::to_string(c.d_s) + "to" + std::to_string(c.d_t) +
                                  (c.weighted ? "_weighted" : "");
                         });

TEST(RcslsTest, KnownAnswer) {
  // Two axes on both sides, W = I, the pair (x_0, y_0). k = 1: −2 + 1 + 1 = 0; k = 2: −2 + 1/2 + 1/2 = −1.
  const Matrix axes = Matrix::identity(2);
  const BruteForceSearch search(axes);
  RepeatedSearch moving(search);
  const TrainingPairs words(axes, axes, std::vector<Lexicon::Pair>{{0, 0}});
  const auto mean = make_neighbor_term("mean");
  const MatrixD identity = MatrixD::identity(2);
  EXPECT_EQ(RcslsObjective(words, moving, moving, *mean, 1).evaluate(identity).loss(), 0);
  RcslsObjective objective(words, moving, moving, *mean, 2);
  const ObjectiveValue value = objective.evaluate(identity);
  EXPECT_EQ(value.loss(), -1);
  // G = −2 y xᵀ + s xᵀ + y rᵀ with s = r = (1/2, 1/2).
  EXPECT_EQ(value.gradient_sum(0, 0), -1);
  EXPECT_EQ(value.gradient_sum(0, 1), 0.5);
  EXPECT_EQ(value.gradient_sum(1, 0), 0.5);
  EXPECT_EQ(value.gradient_sum(1, 1), 0);
}

TEST(RcslsTest, EqualWeightsChangeNothingButTheSums) {
  RcslsProblem plain(80, 80, 10, 10, true, "mean", 1, 10);
  std::vector<Lexicon::Pair> pairs = plain.pairs;
  for (Lexicon::Pair& pair : pairs) pair.weight = 4;
  const TrainingPairs words(plain.source, plain.target, pairs);
  RcslsObjective heavy(words, plain.target_moving, plain.source_moving, *plain.term, plain.k);
  const MatrixD w = random_map(10, 10, 1, 1);
  const ObjectiveValue one = plain.objective.evaluate(w), four = heavy.evaluate(w);
  EXPECT_EQ(one.pairs, 60);
  EXPECT_EQ(four.pairs, 240);
  EXPECT_EQ(one.loss(), four.loss());
  EXPECT_EQ(4 * one.gradient_sum(3, 5), four.gradient_sum(3, 5));
}

TEST(RcslsTest, PoolsSmallerThanKAreUsedWhole) {
  const Matrix axes = Matrix::identity(2);
  const BruteForceSearch search(axes);
  RepeatedSearch moving(search);
  const TrainingPairs words(axes, axes, std::vector<Lexicon::Pair>{{0, 0}, {1, 1}});
  const auto mean = make_neighbor_term("mean");
  EXPECT_EQ(RcslsObjective(words, moving, moving, *mean, 10).evaluate(MatrixD::identity(2)).loss(), -1);
}

TEST(RcslsTest, IsPositivelyHomogeneous) {
  RcslsProblem problem(80, 80, 10, 10, true, "mean", 1, 10);
  MatrixD w = random_map(10, 10, 1, 1);
  const double loss = problem.objective.evaluate(w).loss();
  for (double& element : w.elements()) element *= 8;
  EXPECT_NEAR(problem.objective.evaluate(w).loss(), 8 * loss, 1e-10);
}

/// Remembers nothing useful, but sees whether slots keep their meaning: the same slot must always bring the same word.
class SlotRecorder : public MovingSearch {
 public:
  explicit SlotRecorder(const NeighborSearch& search) : search_(search) {}
  Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) override {
    EXPECT_EQ(queries.rows(), slots.size());
    calls.emplace_back(Matrix::copy_of(queries), std::vector<std::uint32_t>(slots.begin(), slots.end()));
    return search_.search(queries, k);
  }
  std::span<const float> row(std::uint32_t id) const override { return search_.table().row(id); }
  std::size_t dimension() const override { return search_.table().cols(); }
  std::uint64_t saved_scans() const override { return 2; }

  std::vector<std::pair<Matrix, std::vector<std::uint32_t>>> calls;

 private:
  const NeighborSearch& search_;
};

TEST(RcslsTest, SlotsNameTheDistinctWords) {
  RcslsProblem problem(80, 80, 6, 6, true, "mean", 1, 3);
  SlotRecorder target(problem.target_search), source(problem.source_search);
  RcslsObjective objective(problem.words, target, source, *problem.term, 3);
  const MatrixD w = MatrixD::identity(6);
  const ObjectiveValue value = objective.evaluate_batch(w, std::vector<std::size_t>{7, 40, 41});
  EXPECT_EQ(value.saved_scans, 4u);
  ASSERT_EQ(target.calls.size(), 1u);
  for (std::size_t i = 0; i < target.calls[0].second.size(); ++i)
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_EQ(target.calls[0].first(i, j), problem.source(problem.words.source_rows()[target.calls[0].second[i]], j));
  for (std::size_t i = 0; i < source.calls[0].second.size(); ++i)
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_EQ(source.calls[0].first(i, j), problem.target(problem.words.target_rows()[source.calls[0].second[i]], j));
}

TEST(Rcsls, ProcessesThatShareTheSumsGetTheSameBits) {
  const Matrix source = random_unit_rows(3000, 4, 1), target = random_unit_rows(3000, 4, 2);
  std::vector<Lexicon::Pair> pairs;
  for (std::uint32_t i = 0; i < 2500; ++i) pairs.push_back({i, (7 * i) % 3000, i % 3 == 0 ? 0.5 : 1.0});
  const TrainingPairs words(source, target, pairs);
  const auto term = make_neighbor_term("logsumexp", 0.3);
  const MatrixD w = random_map(4, 4, 0.5, 3);
  const auto source_search = make_search(source), target_search = make_search(target);
  const auto value = [&](Communicator* communicator) {
    RepeatedSearch source_pool(*source_search), target_pool(*target_search);
    return RcslsObjective(words, target_pool, source_pool, *term, 3, communicator).evaluate(w);
  };
  const ObjectiveValue expected = value(nullptr);
  for (int size = 1; size <= 4; ++size)
    run_ranks(size, [&](Communicator& communicator) {
      const ObjectiveValue shared = value(&communicator);
      EXPECT_EQ(shared.loss_sum, expected.loss_sum);
      EXPECT_EQ(shared.gradient_sum, expected.gradient_sum);
    });
}

}  // namespace

}  // namespace wordbridge::rcsls_objective_test
