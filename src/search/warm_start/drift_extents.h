#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "search/warm_start/drift_directions.h"
#include "search/warm_start/drift_move.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

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
  /// What the rows of each block gain at most, one row of `gains` a move, and how far rounding may have them, and a few
  /// sums with them, too small.
  /// Moves that are not valid have rows without meaning. On the calling thread.
  void gains(std::span<const DriftMove> moves, MatrixView gains, std::span<double> slacks) const;

 private:
  void measure_block(std::span<const std::uint32_t> ids, ConstMatrixView z, const DriftTable& measures,
                     const DriftDirections& directions, double error, float* extent) const;

  Matrix extents_;      // a block a row: max z, max -z, max w, 0
  double largest_ = 0;  // at least the norm of each
};

}  // namespace wordbridge
