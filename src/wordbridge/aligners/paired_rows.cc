#include "wordbridge/aligners/paired_rows.h"

#include <algorithm>

#include "wordbridge/base/error.h"

namespace wordbridge {

PairedRows paired_rows(const AlignmentProblem& problem) {
  const auto pairs = problem.lexicon.pairs();
  if (pairs.empty()) throw UsageError("this method learns from a lexicon, and the lexicon has no usable pairs");
  const Matrix &x = problem.source.table(), &y = problem.target.table();
  PairedRows rows{Matrix::uninitialized(pairs.size(), x.cols()), Matrix::uninitialized(pairs.size(), y.cols())};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    std::ranges::copy(x.row(pairs[p].source), rows.source.row(p).begin());
    std::ranges::copy(y.row(pairs[p].target), rows.target.row(p).begin());
  }
  return rows;
}

}  // namespace wordbridge
