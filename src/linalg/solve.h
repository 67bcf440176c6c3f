#pragma once
#include "wordbridge/matrix.h"

namespace wordbridge {

/// The B that minimizes ‖A B − C‖² + ridge ‖B‖² over (m x p) A, (m x q) C; B is p x q. With ridge 0 the solution of
/// least norm is taken, so fewer rows than columns, or columns that depend on each other, are no error.
MatrixD solve_least_squares(ConstMatrixViewD a, ConstMatrixViewD c, double ridge = 0);

}  // namespace wordbridge
