#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
/// where K = `slack`; drift.cc derives it. Without directions z is empty, and the rest takes all:
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

/// How far the rows of each block of a table reach along the directions of a drift: for z = P y the largest and the
/// least of each coordinate, and the largest w = |y - Pᵀ z|. So the rows of a block gain by a move (DriftMove) at most
///     sum over i of max(c_i, 0) max z_i + max(-c_i, 0) max(-z_i),  and  |r| max w
/// which is one product of nonnegative coefficients with the extents of the block.
class DriftExtents {
 public:
  static constexpr std::size_t kWidth = 2 * kMostDirections + 2;

  /// `ids`: the rows in the order of the blocks, `block_rows` in each. `measures` are those of the table, which can be
  /// projected onto these directions.
  DriftExtents(ConstMatrixView table, std::span<const std::uint32_t> ids, std::size_t block_rows,
               const DriftTable& measures, const DriftDirections& directions);

  std::size_t blocks() const { return extents_.rows(); }
  /// What the rows of each block gain at most, one row of `gains` a move, and a bound of their rounding error, and a
  /// few sums with them, too small. Moves that are not valid have rows without meaning. On the calling thread.
  void gains(std::span<const DriftMove> moves, MatrixView gains, std::span<double> slacks) const;

 private:
  void measure_block(std::span<const std::uint32_t> ids, ConstMatrixView z, const DriftTable& measures,
                     const DriftDirections& directions, double error, float* extent) const;

  Matrix extents_;      // a block a row: max z, max -z, max w, 0
  double largest_ = 0;  // at least the norm of each
};

}  // namespace wordbridge
