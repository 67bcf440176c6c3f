#pragma once
#include <vector>

#include "space/unit_rows.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What the inverted softmax needs to know of each target y: sums over the source words q' that are not zero.
struct SoftmaxSums {
  std::vector<double> logs;   // log sum exp(beta <q', y>)
  std::vector<double> means;  // the mean of <q', y> with weights exp(beta <q', y>): the derivative of `logs` by beta
};

constexpr double kMaxBeta = 1e6;

/// For targets of length 1 and beta in (0, kMaxBeta]. Streaming, in the log domain, so that nothing overflows. Both are
/// 0 where there is no source word. Good to about beta * 1e-6: products are in fp32.
SoftmaxSums softmax_sums(const UnitRows& sources, ConstMatrixView targets, double beta);

}  // namespace wordbridge
