#pragma once
#include <cstddef>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// The directions in which queries have moved together: P, m x d, one direction a row. The steps of a training push all
/// queries nearly the same way, so the first few principal directions of the moves hold nearly all of each.
///
/// Bounds by P are valid for any P. That its rows are nearly orthonormal makes them tight, and how nearly is measured.
struct DriftDirections {
  DriftDirections() = default;
  /// UsageError where there are more directions than a row has room for (kMostDirections).
  explicit DriftDirections(Matrix directions);

  std::size_t count() const { return p.rows(); }

  Matrix p;
  double deviation = 0;  // at least |P Pᵀ - I|
  double norm = 0;       // at least the Frobenius norm of P
};

/// Twice as many numbers and two more fill two lines of the cache (DriftExtents).
inline constexpr std::size_t kMostDirections = 15;

/// The first principal directions of the moves (one a row), not centered: at most `most`, and fewer where the moves
/// span fewer. Found by orthogonal iteration, so not to the last bit; always the same for the same moves.
DriftDirections principal_drift(const MatrixD& moves, std::size_t most);

}  // namespace wordbridge
