#include "wordbridge/retrieval/criterion.h"

#include <fmt/format.h>

#include "wordbridge/base/error.h"

namespace wordbridge {

void require_one_space(ConstMatrixView sources, ConstMatrixView targets) {
  if (sources.cols() != targets.cols())
    throw UsageError(fmt::format("source and target vectors of dimensions {} and {} are not in one space",
                                 sources.cols(), targets.cols()));
}

}  // namespace wordbridge
