#include "linalg/svd.h"

#include <lapacke.h>

#include <algorithm>
#include <string>

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

}  // namespace wordbridge
