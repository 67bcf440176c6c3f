#pragma once
#include <algorithm>
#include <span>

#include "wordbridge/linalg/matrix.h"
#include "wordbridge/vectors/vocabulary.h"

namespace wordbridge {

/// The rows with these ids, in their order.
inline Matrix gather_rows(ConstMatrixView table, std::span<const WordId> ids) {
  Matrix rows = Matrix::uninitialized(ids.size(), table.cols());
  for (std::size_t i = 0; i < ids.size(); ++i) std::copy_n(table.row(ids[i]).data(), table.cols(), rows.row(i).data());
  return rows;
}

}  // namespace wordbridge
