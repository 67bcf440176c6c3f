#include "linalg/solve.h"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "linalg/blas.h"
#include "wordbridge/error.h"

namespace wordbridge {

MatrixD solve_least_squares(ConstMatrixViewD a, ConstMatrixViewD c, double ridge) {
  assert(a.rows() == c.rows());
  // The ridge is p further rows sqrt(ridge) I with right-hand side 0: no normal equations, no squared condition number.
  const std::size_t p = a.cols(), q = c.cols();
  const std::size_t m = a.rows() + (ridge > 0 ? p : 0);
  MatrixD left(m, p), right(std::max(m, p), q);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    std::copy_n(a.row(i).data(), p, left.row(i).data());
    std::copy_n(c.row(i).data(), q, right.row(i).data());
  }
  for (std::size_t i = a.rows(); i < m; ++i) left(i, i - a.rows()) = std::sqrt(ridge);
  if (p == 0 || q == 0 || m == 0) return MatrixD(p, q);
  std::vector<double> s(std::min(m, p));
  // Singular values below this part of the largest are rounding, not data: taken for zero, or columns that depend on
  // each other would get huge coefficients that cancel.
  const double negligible = static_cast<double>(std::max(m, p)) * std::numeric_limits<double>::epsilon();
  lapack_int rank = 0;
  prepare_blas();
  const lapack_int info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, static_cast<lapack_int>(m), static_cast<lapack_int>(p),
                                         static_cast<lapack_int>(q), left.data(), static_cast<lapack_int>(p),
                                         right.data(), static_cast<lapack_int>(q), s.data(), negligible, &rank);
  if (info != 0) throw Error("least squares failed (LAPACK dgelsd: " + std::to_string(info) + ")");
  right.truncate_rows(p);
  return right;
}

}  // namespace wordbridge
