#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// 1 / (1 + exp(-x)).
double logistic(double x);

/// Rows of numbers, each with a yes or a no, that a logistic model is to be fitted to.
struct LogisticProblem {
  ConstMatrixViewD rows;  // standardized
  std::span<const std::uint8_t> yes;
  std::vector<double> center = {};  // of the weights, the intercept behind them, that are drawn to; empty: 0
  double prior = 0;                 // times half the squared distance to it, beside the loss of all rows together
};

/// The mean over the rows of -log sigmoid(±(<w, row> + b)), plus prior / rows * |(w, b) - center|^2 / 2. Writes the
/// gradient. Sums over rows are added chunk by chunk, in order.
double logistic_loss(const LogisticProblem& problem, std::span<const double> weights, std::span<double> gradient);

/// The weights that fit best, one for each column, and the intercept behind them; the search begins at `start`, or at
/// the center.
std::vector<double> fit_logistic(const LogisticProblem& problem, std::vector<double> start = {});

}  // namespace wordbridge
