#include "linalg/lapack.h"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "linalg/blas.h"
#include "wordbridge/error.h"

namespace wordbridge {

Svd svd(ConstMatrixViewD a) {
  const std::size_t m = a.rows(), n = a.cols(), r = std::min(m, n);
  Svd result{MatrixD(m, r), std::vector<double>(r), MatrixD(r, n)};
  if (r == 0) return result;
  // LAPACK is column-major: the row-major A is its Aᵀ = V diag(s) Uᵀ, so its "U" is our vt and its "VT" our u, in
  // place.
  MatrixD copy = MatrixD::copy_of(a);
  prepare_blas();
  const lapack_int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', static_cast<lapack_int>(n), static_cast<lapack_int>(m),
                                         copy.data(), static_cast<lapack_int>(n), result.s.data(), result.vt.data(),
                                         static_cast<lapack_int>(n), result.u.data(), static_cast<lapack_int>(r));
  if (info != 0) throw Error("singular value decomposition failed (LAPACK dgesdd: " + std::to_string(info) + ")");
  return result;
}

MatrixD nearest_orthogonal(ConstMatrixViewD a) {
  const Svd decomposition = svd(a);
  return multiply(decomposition.u, decomposition.vt);
}

Eigen symmetric_eigen(ConstMatrixViewD a) {
  assert(a.rows() == a.cols());
  const std::size_t n = a.rows();
  Eigen result{std::vector<double>(n), MatrixD::copy_of(a)};
  if (n == 0) return result;
  prepare_blas();
  const lapack_int info = LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'V', 'U', static_cast<lapack_int>(n), result.vectors.data(),
                                         static_cast<lapack_int>(n), result.values.data());
  if (info != 0) throw Error("eigenvalue decomposition failed (LAPACK dsyevd: " + std::to_string(info) + ")");
  return result;
}

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
