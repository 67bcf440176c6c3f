#pragma once
#include <cstddef>
#include <vector>

#include "wordbridge/linalg/matrix.h"

namespace wordbridge {

/// For each row of two tables a score that k rows of the other reach; minus infinity where nothing is known.
struct AlikeFloors {
  std::vector<float> of_source, of_target;
};

/// Sorts the rows of both tables by centers, some rows of the target table. What is at the same center, or at those
/// next to it, is likely to be near, and the fp32 products of a few hundred such rows give floors that few of all rows
/// reach. `k_source` rows of the target table are wanted for each source, and `k_target` sources for each target.
AlikeFloors alike_floors(ConstMatrixView source, ConstMatrixView target, std::size_t k_source, std::size_t k_target);

}  // namespace wordbridge
