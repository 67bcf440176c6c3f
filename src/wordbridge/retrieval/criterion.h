#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/linalg/matrix.h"
#include "wordbridge/vectors/vocabulary.h"

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

/// Ranks target words for query vectors. Built over two tables in the common space with unit rows (zero rows take part
/// in nothing): all mapped source words, which some criteria need, and all target words.
class Criterion {
 public:
  virtual ~Criterion() = default;
  /// "nn", "csls", ...
  virtual std::string name() const = 0;
  /// `queries`: unit rows of the common space, usually rows of the mapped source table.
  virtual Candidates best(ConstMatrixView queries, std::size_t count) = 0;
};

/// UsageError where the rows of two tables differ in dimension.
void require_one_space(ConstMatrixView sources, ConstMatrixView targets);

}  // namespace wordbridge
