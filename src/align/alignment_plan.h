#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "align/aligner.h"
#include "align/registry.h"
#include "vectors/sharded_vectors.h"
#include "wordbridge/align.h"

namespace wordbridge {

/// An alignment that is asked for, checked as far as it can be without vectors.
class AlignmentPlan {
 public:
  /// Reads the files that options name. UsageError, naming the option, for one that is unknown, belongs to another
  /// method, has a value out of range or makes no sense with the others.
  explicit AlignmentPlan(const AlignOptions& options = {});

  const AlignMethod& method() const { return *method_; }
  /// The files that its options name.
  const std::vector<std::string>& inputs() const { return inputs_; }
  /// The mapping that training starts from; nullptr where none is given.
  const Mapping* start() const { return start_ ? &*start_ : nullptr; }

  /// What to be wary of before it runs, in sentences: a lexicon too small for the dimension, a start that was fitted on
  /// other vectors.
  std::vector<std::string> warnings(const WordVectors& source, const WordVectors& target, const Lexicon& lexicon) const;

  std::vector<std::string> warnings(const ShardedVectors& source, const ShardedVectors& target,
                                    const Lexicon& lexicon) const;

  /// UsageError, which says what to do instead, for an alignment that several processes cannot do together: before any
  /// vectors are read.
  void require_shardable() const;

  /// Fits the normalizers, solves, and fills in the provenance. How many words of the files were read (max_words) and
  /// the lexicon's name are the caller's to add. UsageError for a lexicon where the method takes none, or for none
  /// where it needs one.
  Mapping run(WordVectors source, WordVectors target, const Lexicon& lexicon) const;
  /// The same by several processes, for what require_shardable() lets pass: all get the mapping that one would, bit for
  /// bit.
  Mapping run(ShardedVectors source, ShardedVectors target, const Lexicon& lexicon) const;

 private:
  std::vector<std::string> warnings_of(const Lexicon& lexicon, std::size_t needed) const;
  void name_method(Provenance& provenance) const;
  void refuse_foreign(const AlignOptions& options, const AlignMethod* refit) const;
  void check_rerank(const AlignOptions& options) const;
  std::unique_ptr<const Aligner> make_aligner(const AlignSettings& settings, const AlignMethod* refit,
                                              const RefinementOptions& refinement) const;
  void learn_reranker(const WordVectors& source, const WordVectors& target, const Lexicon& lexicon,
                      Mapping& mapping) const;
  void transfer_reranker_to(const WordVectors& source, const WordVectors& target, const Lexicon& known,
                            Mapping& mapping) const;
  Mapping run_chosen(WordVectors source, WordVectors target, const Lexicon& lexicon) const;

  AlignOptions asked_;
  const AlignMethod* method_;
  AlignSettings settings_;
  std::vector<std::string> inputs_;
  std::optional<Mapping> start_;
  std::unique_ptr<const Aligner> aligner_;
  std::unique_ptr<const Aligner> fold_aligner_;  // the same for parts of the lexicon; nullptr: there is no re-ranker
  bool refines_ = false;
  std::vector<Normalizer::Step> normalization_;
};

}  // namespace wordbridge
