#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// A word that asks, beside its vector: for criteria that look at more than vectors.
struct AskingWord {
  std::string_view spelling = {};           // as the vocabulary has it; as it was asked where it does not
  std::optional<WordId> id = std::nullopt;  // where the vocabulary has it
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
  /// The same for words whose spelling is known; words[i] belongs to row i of the queries.
  virtual Candidates best_for(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t count) const {
    static_cast<void>(words);
    return best(queries, count);
  }
};

/// UsageError where queries are not of the dimension of the rows that they are compared with.
void require_dimension(ConstMatrixView queries, ConstMatrixView rows);

}  // namespace wordbridge
