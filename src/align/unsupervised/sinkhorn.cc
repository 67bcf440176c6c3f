#include "align/unsupervised/sinkhorn.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowBlock = 64;
// Scalings stay within e^±30 of 1: with kernel entries at most about 1 nothing leaves the range of float.
constexpr double kLargestLogScaling = 30;

class Solver {
 public:
  Solver(ConstMatrixView cost, std::span<const double> rows, std::span<const double> columns, double epsilon)
      : cost_(cost),
        rows_(rows),
        columns_(columns),
        epsilon_(epsilon),
        f_(cost.rows(), 0),
        g_(cost.cols(), 0),
        kernel_(Matrix::uninitialized(cost.rows(), cost.cols())) {
    // The hard minimum of each row is the potential's limit for a small epsilon: entries are at most 1, and one of each
    // row is. Where a column has nothing but zeros all the same, the first update finds out and renews the kernel.
    for (std::size_t i = 0; i < f_.size(); ++i) f_[i] = *std::ranges::min_element(cost.row(i));
    u_.assign(f_.size(), 1.0f);
    v_.assign(g_.size(), 1.0f);
    fill_kernel();
  }

  /// One row and one column update in the multiplicative form: u = a / (K v), v = b / (Kᵀ u).
  void iterate() {
    if (!row_update() || !column_update()) {
      absorb();
      renew_kernel();
      return;
    }
    if (needs_absorbing()) {
      absorb();
      renew_kernel();
    }
  }

  /// sum_i |row sum_i - a_i| / total, for the current plan diag(u) K diag(v).
  double violation() const {
    const std::vector<float> sums = multiply(kernel_.view(), v_);
    double wrong = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) wrong += std::abs(static_cast<double>(u_[i]) * sums[i] - rows_[i]);
    return wrong / std::accumulate(rows_.begin(), rows_.end(), 0.0);
  }

  Transport finish() {
    absorb();
    fill_kernel();
    Transport result;
    result.plan = std::move(kernel_);
    result.row_potential = std::move(f_);
    result.column_potential = std::move(g_);
    return result;
  }

 private:
  bool row_update() {
    const std::vector<float> sums = multiply(kernel_.view(), v_);
    return divide(rows_, sums, u_);
  }
  bool column_update() {
    const std::vector<float> sums = multiply_transposed(kernel_.view(), u_);
    return divide(columns_, sums, v_);
  }

  /// scaling = mass / sums; false where that is no positive number any more, and then nothing is changed.
  static bool divide(std::span<const double> mass, const std::vector<float>& sums, std::vector<float>& scaling) {
    std::vector<float> next(scaling.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = static_cast<float>(mass[i] / sums[i]);
      if (!std::isfinite(next[i]) || next[i] <= 0) return false;
    }
    scaling = std::move(next);
    return true;
  }

  bool needs_absorbing() const {
    const auto far = [](float s) { return std::abs(std::log(s)) > kLargestLogScaling; };
    return std::any_of(u_.begin(), u_.end(), far) || std::any_of(v_.begin(), v_.end(), far);
  }

  /// Moves the scalings into the potentials.
  void absorb() {
    for (std::size_t i = 0; i < f_.size() && !u_.empty(); ++i) f_[i] += epsilon_ * std::log(u_[i]);
    for (std::size_t j = 0; j < g_.size() && !v_.empty(); ++j) g_[j] += epsilon_ * std::log(v_[j]);
    u_.assign(f_.size(), 1.0f);
    v_.assign(g_.size(), 1.0f);
  }

  /// One exact update of f and g in the log domain, which no cost and no epsilon can break, then the kernel anew: after
  /// it every row sums to about a_i and every column to b_j.
  void renew_kernel() {
    update_f();
    update_g();
    u_.assign(f_.size(), 1.0f);
    v_.assign(g_.size(), 1.0f);
    fill_kernel();
  }

  /// f_i = epsilon log a_i - epsilon log sum_j exp((g_j - C_ij) / epsilon)
  void update_f() {
    ThreadPool::current().for_chunks(f_.size(), kRowBlock, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto cost = cost_.row(i);
        double largest = -INFINITY;
        for (std::size_t j = 0; j < g_.size(); ++j) largest = std::max(largest, g_[j] - cost[j]);
        double sum = 0;
        for (std::size_t j = 0; j < g_.size(); ++j) sum += std::exp((g_[j] - cost[j] - largest) / epsilon_);
        f_[i] = epsilon_ * (std::log(rows_[i]) - std::log(sum)) - largest;
      }
    });
  }

  /// The same for g, over columns in blocks so that rows are read in order.
  void update_g() {
    constexpr std::size_t kColumns = 256;
    ThreadPool::current().for_chunks(g_.size(), kColumns, [&](std::size_t begin, std::size_t end, int) {
      std::vector<double> largest(end - begin, -INFINITY), sum(end - begin, 0);
      for (std::size_t i = 0; i < f_.size(); ++i)
        for (std::size_t j = begin; j < end; ++j)
          largest[j - begin] = std::max(largest[j - begin], f_[i] - cost_(i, j));
      for (std::size_t i = 0; i < f_.size(); ++i)
        for (std::size_t j = begin; j < end; ++j)
          sum[j - begin] += std::exp((f_[i] - cost_(i, j) - largest[j - begin]) / epsilon_);
      for (std::size_t j = begin; j < end; ++j)
        g_[j] = epsilon_ * (std::log(columns_[j]) - std::log(sum[j - begin])) - largest[j - begin];
    });
  }

  /// K_ij = exp((f_i + g_j - C_ij) / epsilon)
  void fill_kernel() {
    ThreadPool::current().for_chunks(f_.size(), kRowBlock, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto cost = cost_.row(i);
        const auto kernel = kernel_.row(i);
        for (std::size_t j = 0; j < g_.size(); ++j)
          kernel[j] = std::exp(static_cast<float>((f_[i] + g_[j] - cost[j]) / epsilon_));
      }
    });
  }

  ConstMatrixView cost_;
  std::span<const double> rows_, columns_;
  double epsilon_;
  std::vector<double> f_, g_;
  std::vector<float> u_, v_;
  Matrix kernel_;
};

}  // namespace

Transport sinkhorn(ConstMatrixView cost, std::span<const double> rows, std::span<const double> columns,
                   const SinkhornOptions& options) {
  assert(cost.rows() == rows.size() && cost.cols() == columns.size());
  if (!(options.regularization > 0)) throw UsageError("Sinkhorn needs a regularization above 0");
  if (cost.empty()) {
    Transport nothing;
    nothing.converged = true;
    return nothing;
  }
  Solver solver(cost, rows, columns, options.regularization);
  constexpr int kCheckEvery = 10;
  int iterations = 0;
  double violation = std::numeric_limits<double>::infinity();
  while (violation > options.tolerance && iterations < options.max_iterations) {
    const int stop = std::min(iterations + kCheckEvery, options.max_iterations);
    for (; iterations < stop; ++iterations) solver.iterate();
    violation = solver.violation();
  }
  Transport result = solver.finish();
  result.iterations = iterations;
  result.violation = violation;
  result.converged = violation <= options.tolerance;
  return result;
}

double dual_value(const Transport& transport, std::span<const double> rows, std::span<const double> columns,
                  double regularization) {
  double value = 0, mass = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) value += transport.row_potential[i] * rows[i];
  for (std::size_t j = 0; j < columns.size(); ++j) value += transport.column_potential[j] * columns[j];
  for (const float p : transport.plan.elements()) mass += p;
  return value - regularization * mass;
}

}  // namespace wordbridge
