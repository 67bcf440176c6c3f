#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "search/warm_start/drift_directions.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What the bounds need to know of all rows of a table.
struct DriftTable {
  double largest_norm = 0;   // Y, at least the norm of each row
  std::vector<float> norms;  // at least the norm of each row
  std::vector<double> mean;  // of the rows; it need not be exact

  explicit DriftTable(ConstMatrixView rows);
  /// e_z: how far P y, computed in float, may be from P y; and whether all of it stays in the range of float.
  double projection_error(const DriftDirections& directions) const;
  bool can_be_projected(const DriftDirections& directions) const;
};

/// How a query q has moved from its reference q0, as a sum of what all queries have in common and a rest:
///     q = alpha q0 + Pᵀ c + r
/// for any alpha >= 0 and c, with r what is left of it. If y scored at most s for q0, then for q at most
///     alpha s + <c, z> + |r| w + K,   z near P y, w at least |y - Pᵀ z|
/// where K = `slack`; drift_move.cc derives it. Without directions z is empty, and the rest takes all:
/// alpha s + |q - alpha q0| |y|.
struct DriftMove {
  std::array<float, kMostDirections> common{};  // c, and zeros
  float rest = 0;                               // at least |r|
  double alpha = 0;
  double slack = 0;
  bool valid = false;  // otherwise nothing is known
};

/// The moves of queries (n x d) from their references (n x d); `scores` are those that they will be asked for most, by
/// which alpha is chosen. On the calling thread.
void drift_moves(const DriftTable& table, const DriftDirections& directions, ConstMatrixView queries,
                 ConstMatrixView references, std::span<const double> scores, std::span<DriftMove> result);

}  // namespace wordbridge
