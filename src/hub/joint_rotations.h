#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// The pairs between two languages, as far as rotations depend on them.
struct JointTerm {
  std::size_t one, other;  // numbers of the languages
  MatrixD products;        // sum of y x^T over the pairs, x of `one` and y of `other`: d_other x d_one
  double weight = 1;       // what it counts for
};

/// (Semi-)orthogonal maps W of all languages into one space that bring the pairs of all terms closest together,
///
///     maximize sum over terms of c tr( (W_other C) W_one^T ),
///
/// which for unit rows is least squares. The map of the pivot stays the identity. Each map in turn is the best one for
/// the others (U V^T of the SVD of what its terms add up to), so the sum never falls; it ends where nothing moves any
/// more. Every language needs a chain of terms to the pivot; the start follows it. UsageError where one has none.
///
/// `dimensions` are those of the languages; the space has the pivot's.
struct JointRotations {
  std::vector<MatrixD> maps;  // d x d_i, one a language; that of the pivot is the identity
  std::vector<double> sums;   // after the start, and after each round
};
JointRotations joint_rotations(std::span<const std::size_t> dimensions, std::size_t pivot,
                               std::span<const JointTerm> terms);

}  // namespace wordbridge
