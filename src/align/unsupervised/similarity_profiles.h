#pragma once
#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// How each word stands to the others of its language: row i holds the sorted similarities of word i to all words, from
/// (X Xᵀ)^(1/2) (n x n), normalized by unit, center, unit. Neither the order of the words nor a rotation changes it, so
/// profiles can be compared across languages (Artetxe et al. 2018).
Matrix similarity_profiles(ConstMatrixView x);

/// The pairs of words whose profiles are alike, by CSLS in both directions: few are right, but more than by chance.
/// Both tables have as many rows.
Lexicon pairs_by_profile(ConstMatrixView x, ConstMatrixView y);

}  // namespace wordbridge
