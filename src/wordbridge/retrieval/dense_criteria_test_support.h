#pragma once
#include <string>

#include "wordbridge/linalg/matrix.h"
#include "wordbridge/retrieval/criterion.h"

namespace wordbridge {

// The criteria by their definitions, over the matrix of all pairs: the slow twins of the tests.

Candidates dense_nearest(ConstMatrixView queries, ConstMatrixView targets, std::size_t count);
Candidates dense_csls(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t neighbors,
                      std::size_t count);

/// Why the two differ in a bit, or an empty string.
std::string difference(const Candidates& expected, const Candidates& actual);

}  // namespace wordbridge
