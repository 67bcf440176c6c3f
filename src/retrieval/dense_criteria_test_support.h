#pragma once
#include <string>
#include <vector>

#include "retrieval/inverted_softmax.h"
#include "wordbridge/criterion.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

// The criteria by their definitions, over the matrix of all pairs: the slow twins of the tests.

Candidates dense_nearest(ConstMatrixView queries, ConstMatrixView targets, std::size_t count);
Candidates dense_csls(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t neighbors,
                      std::size_t count);

/// `log_normalizers`: one a target.
Candidates dense_inverted_softmax(ConstMatrixView queries, ConstMatrixView targets, double beta,
                                  const std::vector<double>& log_normalizers, std::size_t count);
/// In double, the largest exponent first.
SoftmaxSums dense_softmax_sums(ConstMatrixView sources, ConstMatrixView targets, double beta);
Candidates dense_globally_corrected(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets,
                                    std::size_t count);

/// Why the two differ in a bit, or an empty string.
std::string difference(const Candidates& expected, const Candidates& actual);

}  // namespace wordbridge
