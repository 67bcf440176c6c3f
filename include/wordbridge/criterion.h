#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/matrix.h"
#include "wordbridge/option_info.h"
#include "wordbridge/vocabulary.h"

namespace [[gnu::visibility("default")]] wordbridge {

/// The best targets for some queries: `found` a query, best first, ties by lower id. Larger scores are better.
struct Candidates {
  std::size_t queries = 0;
  std::size_t found = 0;
  std::vector<WordId> targets;
  std::vector<double> scores;
  /// Where the scores are shared out among the candidates ("which is the one?"): the probability of each candidate for
  /// itself ("is it a translation?"). Empty where the criterion has none.
  std::vector<double> p_translation = {};

  std::span<const WordId> targets_of(std::size_t query) const { return {targets.data() + query * found, found}; }
  std::span<const double> scores_of(std::size_t query) const { return {scores.data() + query * found, found}; }
  bool has_probabilities() const { return !p_translation.empty(); }
  std::span<const double> p_translation_of(std::size_t query) const {
    return {p_translation.data() + query * found, found};
  }
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

/// What criteria may be told; each takes what concerns it.
struct CriterionOptions {
  std::size_t neighbors = 10;  // k of csls
  double beta = 30;            // inverse temperature of isf
  std::size_t sample = 0;      // source words in the normalizer of isf; 0: all
  std::uint64_t seed = 0;      // for that sample
};

/// A criterion, as front ends (command line, Python) offer it.
struct CriterionInfo {
  std::string name;     // "nn", "csls", "isf", "gc", "rerank"
  std::string summary;  // a few words
  std::vector<OptionInfo> options;
};

/// All criteria.
std::vector<CriterionInfo> criteria();

/// UsageError for an unknown name, before any work. `asking`: the side whose words ask; those of the other one are
/// ranked.
std::unique_ptr<const Criterion> make_criterion(std::string_view name, const CommonSpace& space,
                                                const CriterionOptions& options = {}, Side asking = Side::source);

}  // namespace wordbridge
