#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>

#include "wordbridge/context.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/normalizer.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

struct ShardedTables;

/// What an aligner works on: both tables after normalization, and pairs into them, none of which has a zero row or the
/// weight 0 (align() leaves such pairs out).
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

/// From raw vectors to a mapping: fits the normalizers on both tables, solves, and puts everything, with its
/// provenance (sizes, checksums, coverage), into a Mapping. The vectors are normalized in place. Pairs in which a word
/// has a zero vector take part in nothing: they are left out and counted (metric "zero_pairs"), as are pairs of weight
/// 0 (not counted). max_words, the lexicon's name and another criterion than CSLS are the caller's to fill in. align.h
/// has the usual way.
Mapping align(const Aligner& aligner, WordVectors& source, WordVectors& target, const Lexicon& lexicon,
              std::span<const Normalizer::Step> normalization);

}  // namespace wordbridge
