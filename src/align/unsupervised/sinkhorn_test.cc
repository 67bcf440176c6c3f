#include "align/unsupervised/sinkhorn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/effort_test_support.h"
#include "base/random.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::sinkhorn_test {
namespace {

std::vector<double> ones(std::size_t n) { return std::vector<double>(n, 1.0); }

double transport_cost(const Transport& transport, const Matrix& cost) {
  double sum = 0;
  for (std::size_t i = 0; i < cost.size(); ++i) sum += static_cast<double>(transport.plan.data()[i]) * cost.data()[i];
  return sum;
}

void expect_marginals(const Transport& transport, const std::vector<double>& rows, const std::vector<double>& columns,
                      double tolerance) {
  std::vector<double> row_sums(rows.size(), 0), column_sums(columns.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      ASSERT_TRUE(std::isfinite(transport.plan(i, j)));
      ASSERT_GE(transport.plan(i, j), 0);
      row_sums[i] += transport.plan(i, j);
      column_sums[j] += transport.plan(i, j);
    }
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(row_sums[i], rows[i], tolerance);
  for (std::size_t j = 0; j < columns.size(); ++j) EXPECT_NEAR(column_sums[j], columns[j], tolerance);
}

TEST(Sinkhorn, MatchesTheMarginalsOfUnequalMasses) {
  const Matrix cost = random_matrix(17, 23, 1);
  Random random(2);
  std::vector<double> rows(17), columns(23);
  for (double& value : rows) value = 0.1 + random.uniform();
  for (double& value : columns) value = 0.1 + random.uniform();
  const double scale =
      std::accumulate(rows.begin(), rows.end(), 0.0) / std::accumulate(columns.begin(), columns.end(), 0.0);
  for (double& value : columns) value *= scale;
  const Transport transport = sinkhorn(cost, rows, columns, {.regularization = 0.5, .tolerance = 1e-6});
  EXPECT_TRUE(transport.converged);
  expect_marginals(transport, rows, columns, 1e-4);
}

TEST(Sinkhorn, ClosesTheDualityGap) {
  const Matrix cost = random_matrix(12, 12, 3);
  const double epsilon = 0.3;
  const Transport transport = sinkhorn(cost, ones(12), ones(12), {.regularization = epsilon, .tolerance = 1e-7});
  double primal = 0;
  for (std::size_t i = 0; i < cost.size(); ++i) {
    const double p = transport.plan.data()[i];
    primal += p * cost.data()[i] + (p > 0 ? epsilon * p * (std::log(p) - 1) : 0);
  }
  EXPECT_NEAR(primal, dual_value(transport, ones(12), ones(12), epsilon), 1e-4);
}

TEST(Sinkhorn, NearsTheBestAssignmentAsTheRegularizationShrinks) {
  for (std::uint64_t seed = 0; seed < effort(20, 5); ++seed) {
    const std::size_t n = 6;
    const Matrix cost = random_matrix(n, n, 100 + seed);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    double best = INFINITY;
    do {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += cost(i, order[i]);
      best = std::min(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    const double epsilon = 0.02;
    const Transport transport =
        sinkhorn(cost, ones(n), ones(n), {.regularization = epsilon, .tolerance = 1e-5, .max_iterations = 200'000});
    ASSERT_TRUE(transport.converged) << seed;
    // The entropy of n unit masses is at most n log n, so the cost is at most epsilon n log n above the optimum.
    EXPECT_LE(transport_cost(transport, cost), best + epsilon * n * std::log(n) + 1e-3) << seed;
    EXPECT_GE(transport_cost(transport, cost), best - 1e-3) << seed;
  }
}

TEST(Sinkhorn, StaysFiniteWhereThePlainKernelWouldVanish) {
  // exp(-C / epsilon) is 0 in any floating-point type here: C / epsilon reaches 10^5.
  Matrix cost = random_matrix(40, 40, 7);
  for (float& value : cost.elements()) value = 10 * value + 500;
  const Transport transport =
      sinkhorn(cost, ones(40), ones(40), {.regularization = 0.005, .tolerance = 1e-3, .max_iterations = 500});
  expect_marginals(transport, ones(40), ones(40), 1.0);  // not converged perhaps, but numbers
  EXPECT_TRUE(std::isfinite(transport.violation));
}

TEST(Sinkhorn, AConstantCostSpreadsTheMassEvenly) {
  const Matrix cost(4, 5);
  const std::vector<double> rows(4, 1.25), columns(5, 1.0);
  const Transport transport = sinkhorn(cost, rows, columns, {.regularization = 0.1});
  for (const float p : transport.plan.elements()) EXPECT_NEAR(p, 0.25, 1e-6);
  EXPECT_TRUE(transport.converged);
}

TEST(Sinkhorn, SaysWhenItDidNotConverge) {
  const Matrix cost = random_matrix(30, 30, 9);
  const Transport transport =
      sinkhorn(cost, ones(30), ones(30), {.regularization = 0.001, .tolerance = 1e-9, .max_iterations = 3});
  EXPECT_FALSE(transport.converged);
  EXPECT_EQ(transport.iterations, 3);
  EXPECT_GT(transport.violation, 1e-9);
}

TEST(Sinkhorn, RefusesARegularizationOfZero) {
  const Matrix cost(2, 2);
  EXPECT_THROW(sinkhorn(cost, ones(2), ones(2), {.regularization = 0}), UsageError);
}

}  // namespace
}  // namespace wordbridge::sinkhorn_test
