#pragma once
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Rows in their leading principal axes, scaled so that their mean squared length is 1.
struct PrincipalAxes {
  Matrix points;  // n x p
  MatrixD axes;   // p x d, orthonormal rows, by descending variance
};

/// Centers the rows and keeps the min(dimensions, d) axes of largest variance.
PrincipalAxes principal_axes(ConstMatrixView rows, std::size_t dimensions);

}  // namespace wordbridge
