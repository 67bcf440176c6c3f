#pragma once
#include <map>
#include <optional>
#include <string>

#include "linalg/rows.h"
#include "wordbridge/context.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

/// What an aligner has to know of tables that are sharded over several processes, beside the rows of the lexicon's
/// words, which everybody has: the whole tables, normalized, for searches, and what ties a checkpoint to its inputs.
struct ShardedTables {
  ShardedRows source, target;
  std::string source_checksum, target_checksum;  // checksum_of() the whole tables
  std::string lexicon_checksum;                  // of the pairs by their numbers in the whole tables

  Communicator& communicator() const { return *source.communicator; }
};

/// What an aligner works on: both tables after normalization, and pairs into them, none of which has a zero row or the
/// weight 0 (PreparedProblem leaves such pairs out).
struct AlignmentProblem {
  const WordVectors& source;
  const WordVectors& target;
  const Lexicon& lexicon;
  std::uint64_t seed = Context::current().seed();  // of all that is drawn at random
  /// Where several processes work on it: then `source` and `target` have the words of the lexicon only, and its pairs
  /// go by these. nullptr: one process has it all.
  const ShardedTables* sharded = nullptr;
};

/// The maps that an aligner found: W (c x d_s) and, for methods that move both sides, V (c x d_t).
struct AlignmentResult {
  Matrix source_map;
  std::optional<Matrix> target_map = std::nullopt;
  std::map<std::string, double> metrics = {};
  AlignmentReport report = {};  // how it went
};

/// Learns maps from normalized vectors and a lexicon.
class Aligner {
 public:
  virtual ~Aligner() = default;
  virtual std::string name() const = 0;
  /// Its options as they go into the provenance.
  virtual std::map<std::string, std::string> options() const = 0;
  /// UsageError where the problem lacks what the method needs (an empty lexicon).
  virtual AlignmentResult solve(const AlignmentProblem& problem) const = 0;
};

}  // namespace wordbridge
