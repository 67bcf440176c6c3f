#pragma once
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// A = U diag(s) Vᵀ, thin: for A of m x n and r = min(m, n), U is m x r, `vt` is r x n, s descends.
struct Svd {
  MatrixD u;
  std::vector<double> s;
  MatrixD vt;
};

/// By LAPACK's divide and conquer, in double. Throws Error if it does not converge (NaN in the input).
Svd svd(ConstMatrixViewD a);

/// U Vᵀ: the orthogonal (or, where not square, semi-orthogonal) matrix closest to A.
MatrixD nearest_orthogonal(ConstMatrixViewD a);

/// Symmetric A = V diag(values) Vᵀ, values ascending, V's columns the eigenvectors.
struct Eigen {
  std::vector<double> values;
  MatrixD vectors;
};
Eigen symmetric_eigen(ConstMatrixViewD a);

/// The B that minimizes ‖A B − C‖² + ridge ‖B‖² over (m x p) A, (m x q) C; B is p x q. With ridge 0 the solution of
/// least norm is taken, so fewer rows than columns, or columns that depend on each other, are no error.
MatrixD solve_least_squares(ConstMatrixViewD a, ConstMatrixViewD c, double ridge = 0);

}  // namespace wordbridge
