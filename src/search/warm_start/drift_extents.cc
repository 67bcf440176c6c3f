#include "search/warm_start/drift_extents.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsTogether = 2048;  // that a thread takes at a time, about

}  // namespace

DriftExtents::DriftExtents(ConstMatrixView table, std::span<const std::uint32_t> ids, std::size_t block_rows,
                           const DriftTable& measures, const DriftDirections& directions)
    : extents_((ids.size() + block_rows - 1) / block_rows, kWidth) {
  const double error = directions.count() > 0 ? measures.projection_error(directions) : 0;
  const std::size_t chunk = std::max<std::size_t>(1, kRowsTogether / block_rows);
  ThreadPool::current().for_chunks(extents_.rows(), chunk, [&](std::size_t begin, std::size_t end, int) {
    const std::size_t first = begin * block_rows, last = std::min(ids.size(), end * block_rows);
    const auto some = ids.subspan(first, last - first);
    const Matrix z = directions.count() > 0 ? multiply_abt(gather_rows(table, some), directions.p.view()) : Matrix();
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t from = (block - begin) * block_rows, count = std::min(block_rows, some.size() - from);
      measure_block(some.subspan(from, count), z.empty() ? ConstMatrixView() : z.view().slice(from, from + count),
                    measures, directions, error, extents_.row(block).data());
    }
  });
  for (std::size_t block = 0; block < extents_.rows(); ++block)
    largest_ = std::max(largest_, norm_above(extents_.row(block).data(), kWidth));
}

// w: with z within e_z of P y and |P Pᵀ - I| <= deviation,
//     |y - Pᵀ z|^2 = |y|^2 - 2 <P y, z> + |Pᵀ z|^2 <= |y|^2 - (1 - deviation) |z|^2 + 2 e_z |z|.
// |z| <= sqrt(1 + deviation) Y + e_z, which is less than 2 Y with both errors below 0.01
// (DriftTable::can_be_projected).
void DriftExtents::measure_block(std::span<const std::uint32_t> ids, ConstMatrixView z, const DriftTable& measures,
                                 const DriftDirections& directions, double error, float* extent) const {
  const std::size_t m = directions.count();
  for (std::size_t j = 0; j < m; ++j) extent[j] = extent[kMostDirections + j] = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < m; ++j) {
      const float value = z(i, j);
      square += double{value} * double{value};
      extent[j] = std::max(extent[j], value);
      extent[kMostDirections + j] = std::max(extent[kMostDirections + j], -value);
    }
    const double norm = measures.norms[ids[i]];
    const double rest = norm * norm * (1 + 0x1.0p-48) - (1 - directions.deviation) * square +
                        2 * error * std::sqrt(square) * (1 + 0x1.0p-48);
    float& width = extent[2 * kMostDirections];
    width = std::max(width, float_above(std::sqrt(std::max(0.0, rest)) * (1 + 0x1.0p-50)));
  }
}

void DriftExtents::gains(std::span<const DriftMove> moves, MatrixView gains, std::span<double> slacks) const {
  assert(gains.rows() == moves.size() && gains.cols() == blocks() && slacks.size() == moves.size());
  Matrix coefficients(moves.size(), kWidth);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    float* row = coefficients.row(i).data();
    for (std::size_t j = 0; j < kMostDirections; ++j) {
      row[j] = std::max(moves[i].common[j], 0.0f);
      row[kMostDirections + j] = std::max(-moves[i].common[j], 0.0f);
    }
    row[2 * kMostDirections] = moves[i].rest;
    slacks[i] = fp32_slack(kWidth + 8, norm_above(row, kWidth) * largest_ * (1 + 0x1.0p-40));
  }
  multiply_abt_into(coefficients, extents_, gains);
}

}  // namespace wordbridge
