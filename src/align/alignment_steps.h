#pragma once
#include "align/aligner.h"

namespace wordbridge {

// The steps of align() (aligner.h), for tables that one process holds and for tables that are dealt out to several.

/// All but the origins of the vectors, the normalization and what the solution tells.
Provenance new_provenance(const Aligner& aligner);

/// Without pairs of weight 0. UsageError for weights that cannot be, and where no pair is left.
Lexicon without_weightless(const Lexicon& lexicon);

/// Without pairs in which a word has a zero vector. UsageError where no pair is left.
Lexicon without_zero_rows(const Lexicon& lexicon, const Matrix& source, const Matrix& target);

/// Solves, and makes a mapping of it: `provenance` is that of the inputs, `zero_pairs` the pairs that were left out for
/// a zero vector. Error where the map is not finite.
Mapping solve_to_mapping(const Aligner& aligner, const AlignmentProblem& problem, Provenance provenance,
                         Normalizer source, Normalizer target, std::size_t zero_pairs);

}  // namespace wordbridge
