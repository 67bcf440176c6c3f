#pragma once
#include "align/aligner.h"

namespace wordbridge {

/// The vectors of a lexicon's pairs, side by side: row p of `source` and row p of `target` belong to pair p, and both
/// are multiplied by the square root of its weight, so that products of them weigh the pair by w.
struct PairedRows {
  Matrix source;  // n x d_s
  Matrix target;  // n x d_t
};

/// Gathers them: `pairs` index the rows of the tables (n_s x d_s and n_t x d_t).
PairedRows paired_rows(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs);
/// Those of a problem, which must have some (require_pairs).
PairedRows paired_rows(const AlignmentProblem& problem);
/// UsageError for an empty lexicon: no supervised method can work without pairs.
void require_pairs(const Lexicon& lexicon);

}  // namespace wordbridge
