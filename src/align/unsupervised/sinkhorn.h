#pragma once
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

struct SinkhornOptions {
  double regularization = 0.05;  // epsilon > 0 of the entropy term
  double tolerance = 1e-3;       // largest total violation of the row sums, relative to the total mass
  int max_iterations = 1000;     // pairs of row and column updates
};

/// An entropic optimal transport plan between two discrete masses.
struct Transport {
  Matrix plan;                                          // n x m, P_ij = exp((f_i + g_j - C_ij) / epsilon)
  std::vector<double> row_potential, column_potential;  // f and g
  double violation = 0;  // sum_i |row sum_i - rows_i| / total mass; the column sums are exact up to rounding
  int iterations = 0;
  bool converged = false;
};

/// min_P <P, C> - epsilon H(P) over P >= 0 with the given row and column sums (both positive, of equal total; n x m =
/// the shape of C). Works with any epsilon > 0: the potentials live in the log domain, and the fast multiplicative
/// updates run on a kernel from which the potentials were taken out, renewed before anything can overflow or vanish.
Transport sinkhorn(ConstMatrixView cost, std::span<const double> rows, std::span<const double> columns,
                   const SinkhornOptions& options = {});

/// The dual objective f·rows + g·columns - epsilon sum_ij P_ij: never above the least value of the primal
/// <P, C> + epsilon sum_ij P_ij (log P_ij - 1), and equal to it at convergence.
double dual_value(const Transport& transport, std::span<const double> rows, std::span<const double> columns,
                  double regularization);

}  // namespace wordbridge
