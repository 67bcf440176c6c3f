#include "align/paired_rows.h"

#include <algorithm>
#include <cmath>

#include "wordbridge/error.h"

namespace wordbridge {

PairedRows paired_rows(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs) {
  PairedRows rows{Matrix::uninitialized(pairs.size(), source.cols()),
                  Matrix::uninitialized(pairs.size(), target.cols())};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    std::ranges::copy(source.row(pairs[p].source), rows.source.row(p).begin());
    std::ranges::copy(target.row(pairs[p].target), rows.target.row(p).begin());
    if (pairs[p].weight == 1) continue;
    const float factor = static_cast<float>(std::sqrt(pairs[p].weight));
    for (float& value : rows.source.row(p)) value *= factor;
    for (float& value : rows.target.row(p)) value *= factor;
  }
  return rows;
}

PairedRows paired_rows(const AlignmentProblem& problem) {
  require_pairs(problem.lexicon);
  return paired_rows(problem.source.table(), problem.target.table(), problem.lexicon.pairs());
}

void require_pairs(const Lexicon& lexicon) {
  if (lexicon.empty()) throw UsageError("this method learns from a lexicon, and the lexicon has no usable pairs");
}

}  // namespace wordbridge
