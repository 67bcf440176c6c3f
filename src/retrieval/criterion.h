#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linalg/matrix.h"
#include "vectors/vocabulary.h"

namespace wordbridge {

/// The best targets for some queries: `found` a query, best first, ties by lower id. Larger scores are better.
struct Candidates {
  std::size_t queries = 0;
  std::size_t found = 0;
  std::vector<WordId> targets;
  std::vector<double> scores;

  std::span<const WordId> targets_of(std::size_t query) const { return {targets.data() + query * found, found}; }
  std::span<const double> scores_of(std::size_t query) const { return {scores.data() + query * found, found}; }
};

/// Ranks the words of one side of a common space for query vectors, usually those of words of the other side. Zero
/// rows take part in nothing.
class Criterion {
 public:
  virtual ~Criterion() = default;
  /// "nn", "csls", ...
  virtual std::string name() const = 0;
  /// `queries`: unit rows of the common space. May be called by several threads at once. UsageError where the dimension
  /// is another.
  virtual Candidates best(ConstMatrixView queries, std::size_t count) const = 0;
};

/// UsageError where queries are not of the dimension of the rows that they are compared with.
void require_dimension(ConstMatrixView queries, ConstMatrixView rows);

}  // namespace wordbridge
