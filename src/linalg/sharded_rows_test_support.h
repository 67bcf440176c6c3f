#pragma once
#include "linalg/rows.h"

namespace wordbridge {

/// The rows of a table that a process holds.
inline Matrix own_rows(ConstMatrixView table, const RowShards& shards) {
  Matrix own = Matrix::uninitialized(shards.own_of(table.rows()), table.cols());
  for (std::size_t i = 0; i < own.rows(); ++i) std::ranges::copy(table.row(shards.number(i)), own.row(i).begin());
  return own;
}

}  // namespace wordbridge
