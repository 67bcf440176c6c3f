#include "wordbridge/criterion.h"

#include <fmt/format.h>

#include "wordbridge/error.h"

namespace wordbridge {

void require_dimension(ConstMatrixView queries, ConstMatrixView rows) {
  if (queries.cols() != rows.cols())
    throw UsageError(
        fmt::format("queries of dimension {} are not in a space of dimension {}", queries.cols(), rows.cols()));
}

}  // namespace wordbridge
