#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "align/alignment_plan.h"
#include "align/alignment_steps.h"
#include "align/sharded_tables.h"
#include "align/training/checkpoint.h"
#include "mapping/space_identity.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

VectorsOrigin origin_of_shards(const ShardedVectors& vectors) {
  std::vector<WordId> first(std::min<std::size_t>(vectors.size(), kHeadRows));
  std::iota(first.begin(), first.end(), WordId{0});
  return {vectors.summary().path, vectors.content_checksum(), vectors.size(), vectors.dimension(),
          head_digest(vectors.words(first))};
}

/// The words of a lexicon, numbered among themselves: in the same order, so that nothing that goes by the order of
/// numbers changes.
class LexiconWords {
 public:
  explicit LexiconWords(const Lexicon& lexicon)
      : source_(lexicon.source_words()), target_(lexicon.target_words()), coverage_(lexicon.coverage()) {}

  const std::vector<WordId>& source() const { return source_; }
  const std::vector<WordId>& target() const { return target_; }
  Lexicon renumbered(const Lexicon& lexicon) const {
    return changed(lexicon, [](const std::vector<WordId>& words, WordId id) {
      return static_cast<WordId>(std::ranges::lower_bound(words, id) - words.begin());
    });
  }
  Lexicon numbered_as_before(const Lexicon& lexicon) const {
    return changed(lexicon, [](const std::vector<WordId>& words, WordId id) { return words[id]; });
  }

 private:
  template <class Change>
  Lexicon changed(const Lexicon& lexicon, const Change& change) const {
    std::vector<Lexicon::Pair> pairs;
    for (const Lexicon::Pair& pair : lexicon.pairs())
      pairs.push_back({change(source_, pair.source), change(target_, pair.target), pair.weight});
    return Lexicon(std::move(pairs), coverage_);
  }

  std::vector<WordId> source_, target_;
  LexiconCoverage coverage_;
};

}  // namespace

std::vector<std::string> AlignmentPlan::warnings(const ShardedVectors& source, const ShardedVectors& target,
                                                 const Lexicon& lexicon) const {
  std::vector<std::string> warnings = warnings_of(lexicon, std::min(source.dimension(), target.dimension()));
  if (start_)
    for (const auto& [vectors, side] : {std::pair(&source, Side::source), std::pair(&target, Side::target)})
      if (!start_->provenance.origin(side).checksum.empty())
        if (const auto warning =
                start_->mismatch(vectors->summary().path, vectors->size(), vectors->content_checksum(), side))
          warnings.push_back(*warning);
  return warnings;
}

void AlignmentPlan::require_shardable() const {
  const auto refuse = [](const std::string& what) {
    throw UsageError(what + ": several processes cannot share that work; run 'wordbridge align' on one machine");
  };
  if (method_->chooses)
    throw UsageError("--method auto is for one process; several share the work of --method rcsls, procrustes, ...");
  if (!method_->needs_lexicon) refuse("--method " + method_->name);
  if (refines_) refuse("--refine");
  if (settings_.self_learn) refuse("--self-learn");
  if (settings_.rerank) refuse("--rerank");
  if (!method_->trains) return;
  const RcslsOptions& options = settings_.rcsls;
  if (options.init == "vecmap") refuse("--init vecmap");
  if (options.target_map) refuse("--init with a mapping that moves the target side");
  const SelectionMode mode = options.selection.mode;
  if (mode == SelectionMode::none || (mode == SelectionMode::automatic && options.learning_rate)) return;
  throw UsageError(
      "several processes do not select the settings of rcsls: name a --learning-rate, as 'wordbridge align' on fewer "
      "words (--max-words) selects it");
}

Mapping AlignmentPlan::run(ShardedVectors source, ShardedVectors target, const Lexicon& lexicon) const {
  require_shardable();
  if (lexicon.empty()) throw UsageError("this method learns from a lexicon, and the lexicon has no usable pairs");
  Provenance provenance = new_provenance(*aligner_);
  {
    Stage stage("checksums");
    stage.update(0, 2);
    provenance.source = origin_of_shards(source);
    stage.update(1, 2);
    provenance.target = origin_of_shards(target);
  }
  provenance.lexicon = lexicon.coverage().to_line();
  Normalizer source_normalizer = fit_normalizer(normalization_, source);
  Normalizer target_normalizer = fit_normalizer(normalization_, target);

  const Lexicon weighted = without_weightless(lexicon);
  const LexiconWords words(weighted);
  const WordVectors own_source = source.words(words.source()), own_target = target.words(words.target());
  const Lexicon usable = without_zero_rows(words.renumbered(weighted), own_source.table(), own_target.table());
  const ShardedTables tables{source.rows(), target.rows(), checksum_of(source.rows()), checksum_of(target.rows()),
                             checksum_of(words.numbered_as_before(usable))};
  Mapping mapping =
      solve_to_mapping(*aligner_, {.source = own_source, .target = own_target, .lexicon = usable, .sharded = &tables},
                       std::move(provenance), std::move(source_normalizer), std::move(target_normalizer),
                       weighted.size() - usable.size());
  name_method(mapping.provenance);
  return mapping;
}

}  // namespace wordbridge
