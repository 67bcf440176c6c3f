#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "align/choice/map_choice.h"
#include "align/prepared_problem.h"
#include "align/registry.h"
#include "retrieval/rerank/train_reranker.h"
#include "wordbridge/align.h"

namespace wordbridge {

/// An alignment that is asked for, checked as far as it can be without vectors. It prepares its inputs, and runs.
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

  /// UsageError, which says what to do instead, for an alignment that several processes cannot do together: before any
  /// vectors are read.
  void require_shardable() const;

  /// Tables as they were read become a problem for run(). UsageError for a lexicon where the method takes none.
  PreparedProblem prepare(WordVectors source, WordVectors target, const Lexicon& lexicon,
                          const InputNames& names = {}) const;
  /// The same by several processes, for what require_shardable() lets pass: all get the mapping that one would, bit for
  /// bit.
  PreparedProblem prepare(ShardedVectors source, ShardedVectors target, const Lexicon& lexicon,
                          const InputNames& names = {}) const;

  /// What to be wary of before it runs, in sentences: a lexicon too small for the dimension, a start that was fitted on
  /// other vectors.
  std::vector<std::string> warnings(const PreparedProblem& problem) const;

  /// Learns the mapping. UsageError for no lexicon where the method needs one.
  Mapping run(PreparedProblem problem) const;

 private:
  /// The aligners of a method with certain settings.
  struct Recipe {
    std::string name;                         // for the provenance
    std::unique_ptr<const Aligner> of_all;    // learns the mapping
    std::unique_ptr<const Aligner> of_folds;  // the same for parts of the lexicon
  };

  struct LearnedReranker {
    TrainedReranker trained;
    std::string features;                  // that took part
    std::optional<std::string> objection;  // to spelling
  };

  void refuse_foreign(const AlignOptions& options, const AlignMethod* refit) const;
  void check_rerank() const;
  Recipe make_recipe(const AlignMethod& method, const AlignSettings& settings) const;
  Mapping run_chosen(PreparedProblem problem) const;
  /// `first_fold`: the space of the first fold, where it is there already.
  LearnedReranker learn_reranker(const Recipe& recipe, const PreparedProblem& problem,
                                 std::optional<CommonSpace> first_fold = std::nullopt) const;
  void add_reranker(const LearnedReranker& learned, const PreparedProblem& problem, Mapping& mapping) const;
  void leave_lexicon_out(const PreparedProblem& problem, Mapping& mapping) const;
  void transfer_reranker_to(const PreparedProblem& problem, const Lexicon& known, Mapping& mapping) const;

  const AlignMethod* method_;
  const AlignMethod* refit_ = nullptr;  // of the rounds of refinement, where there are some
  RefinementOptions refinement_;
  AlignSettings settings_;
  std::vector<std::string> inputs_;
  std::optional<Mapping> start_;
  Recipe recipe_;
  std::vector<Normalizer::Step> normalization_;
  bool normalization_asked_, features_asked_;  // as a user has said it
};

}  // namespace wordbridge
