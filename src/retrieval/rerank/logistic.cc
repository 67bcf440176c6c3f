#include "retrieval/rerank/logistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parallel/thread_pool.h"
#include "retrieval/rerank/lbfgs.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsOfTask = 2048;

/// -log sigmoid(x).
double softplus_of_minus(double x) { return x > 0 ? std::log1p(std::exp(-x)) : -x + std::log1p(std::exp(x)); }

/// The loss of a row, not divided; adds its gradient.
double add_row(std::span<const double> row, bool yes, std::span<const double> weights, std::span<double> gradient) {
  double score = weights.back();
  for (std::size_t j = 0; j < row.size(); ++j) score += weights[j] * row[j];
  const double sign = yes ? 1 : -1;
  const double slope = -sign * logistic(-sign * score);
  for (std::size_t j = 0; j < row.size(); ++j) gradient[j] += slope * row[j];
  gradient.back() += slope;
  return softplus_of_minus(sign * score);
}

}  // namespace

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double logistic_loss(const LogisticProblem& problem, std::span<const double> weights, std::span<double> gradient) {
  const std::size_t rows = problem.rows.rows(), tasks = (rows + kRowsOfTask - 1) / kRowsOfTask;
  MatrixD partial(tasks, weights.size() + 1);  // gradients, then the value
  ThreadPool::current().for_chunks(rows, kRowsOfTask, [&](std::size_t begin, std::size_t end, int) {
    const auto sums = partial.row(begin / kRowsOfTask);
    for (std::size_t i = begin; i < end; ++i)
      sums.back() += add_row(problem.rows.row(i), problem.yes[i] != 0, weights, sums.first(weights.size()));
  });
  const double scale = 1 / static_cast<double>(std::max<std::size_t>(rows, 1));
  double value = 0;
  std::ranges::fill(gradient, 0);
  for (std::size_t task = 0; task < tasks; ++task) {
    value += scale * partial(task, weights.size());
    for (std::size_t j = 0; j < weights.size(); ++j) gradient[j] += scale * partial(task, j);
  }
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double distance = weights[j] - (problem.center.empty() ? 0 : problem.center[j]);
    value += scale * problem.prior * distance * distance / 2;
    gradient[j] += scale * problem.prior * distance;
  }
  return value;
}

std::vector<double> fit_logistic(const LogisticProblem& problem, std::vector<double> start) {
  if (start.empty()) start = problem.center;
  if (start.empty()) start.resize(problem.rows.cols() + 1);
  return minimize_lbfgs([&](std::span<const double> weights,
                            std::span<double> gradient) { return logistic_loss(problem, weights, gradient); },
                        std::move(start));
}

}  // namespace wordbridge
