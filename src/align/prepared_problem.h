#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "align/aligner.h"
#include "vectors/sharded_vectors.h"

namespace wordbridge {

/// What the provenance says of the inputs beyond what is in them.
struct InputNames {
  std::uint64_t max_words = 0;  // of each file that were read; 0: all
  std::string lexicon = {};     // its file; empty: it has no name
  std::string source = {};      // the vectors' names, where they are not those of their files
  std::string target = {};
};

/// The inputs of an alignment, made ready once for any number of fits: tables after normalization with the normalizers
/// that were fitted on them, the usable pairs of the lexicon, and where all of it comes from. One process has the
/// tables, or several share them; then each has the rows of the lexicon's words.
class PreparedProblem {
 public:
  using Steps = std::vector<Normalizer::Step>;

  /// UsageError for weights of pairs that make no sense, and where no pair is usable. `keep_raw`: the tables as they
  /// were read, too, for normalized_as().
  PreparedProblem(WordVectors source, WordVectors target, const Lexicon& lexicon, const Steps& normalization,
                  const InputNames& names = {}, bool keep_raw = false);
  /// By several processes together.
  PreparedProblem(ShardedVectors source, ShardedVectors target, const Lexicon& lexicon, const Steps& normalization,
                  const InputNames& names = {});

  /// The same inputs after other steps, from the tables as they were read, which must have been kept.
  PreparedProblem normalized_as(const Steps& normalization) const;
  bool keeps_raw() const { return raw_source_ != nullptr; }
  void forget_raw();

  /// After normalization; of several processes the words of the lexicon only.
  const WordVectors& source() const { return *source_; }
  const WordVectors& target() const { return *target_; }
  /// As it was given.
  const Lexicon& lexicon() const { return lexicon_; }
  /// Some pairs of it without those of weight 0 and those in which a word has a zero vector: these take part in
  /// nothing. UsageError where none is left.
  Lexicon usable(const Lexicon& pairs) const;

  /// As aligners see it, with all usable pairs; it refers to this.
  AlignmentProblem problem() const { return problem(usable_); }
  /// With other pairs, which must outlive it.
  AlignmentProblem problem(const Lexicon& pairs) const;

  /// A mapping from all usable pairs, with its provenance (metric "zero_pairs": pairs left out for a zero vector, where
  /// there are some). Error where the map is not finite.
  Mapping solve(const Aligner& aligner) const;

  const VectorsOrigin& origin(Side side) const { return inputs_.origin(side); }
  const Normalizer& normalizer(Side side) const {
    return side == Side::source ? source_normalizer_ : target_normalizer_;
  }

 private:
  struct Shared;  // of several processes

  void keep_words(const Lexicon& lexicon, const Vocabulary& source, const Vocabulary& target);
  void normalize(WordVectors source, WordVectors target, const Steps& normalization);
  void find_usable();

  Provenance inputs_;  // as far as the inputs decide it
  // Behind pointers, so that problems stay valid when this is moved.
  std::shared_ptr<const WordVectors> source_, target_;
  std::shared_ptr<const WordVectors> raw_source_, raw_target_;  // where they are kept
  Normalizer source_normalizer_, target_normalizer_;
  Lexicon lexicon_, usable_;
  std::shared_ptr<const StoredLexicon> words_;  // of the pairs that somebody said, with a weight above 0
  std::size_t zero_pairs_ = 0;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace wordbridge
