#include "align/alignment_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "align/alignment_steps.h"
#include "align/choice/map_choice.h"
#include "mapping/space_identity.h"
#include "retrieval/rerank/train_reranker.h"
#include "retrieval/rerank/transferred_reranker.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

VectorsOrigin origin_of(const WordVectors& vectors) {
  return {vectors.summary().path, vectors.content_checksum(), vectors.size(), vectors.dimension(),
          head_digest(vectors)};
}

/// The name of the first of these options that is given, with its dashes; empty where none is.
std::string first_given(const AlignOptionList& list, const AlignOptions& options) {
  for (const std::string& name : list.names())
    if (options.options.contains(name)) return "--" + name;
  return {};
}

/// As asked for, else that of the mapping to start from, else the method's.
std::string normalization_name(const AlignOptions& options, const AlignMethod& method, const Mapping* start) {
  if (start == nullptr) return options.normalization.empty() ? method.normalization : options.normalization;
  std::string own = start->normalizer(Side::source).name();
  if (!options.normalization.empty() && options.normalization != own)
    throw UsageError(
        fmt::format("--normalize {}: the mapping to start from was learned after '{}'", options.normalization, own));
  return own;
}

void check_refit(const AlignOptions& options, const AlignMethod& refit) {
  const AlignOptionList taken = options_of(refit);
  for (const Option<AlignSettings>& option : taken.all())
    if (option.info().once && options.options.contains(option.name()))
      throw UsageError(fmt::format("--{} is for one training, not for --refine-with {}", option.name(), refit.name));
  if (refit.chooses) throw UsageError("--refine-with auto: name the method of these fits");
  if (!refit.needs_lexicon)
    throw UsageError(fmt::format("--refine-with {}: the method does not learn from a lexicon", refit.name));
}

}  // namespace

Mapping align(const Aligner& aligner, WordVectors& source, WordVectors& target, const Lexicon& lexicon,
              std::span<const Normalizer::Step> normalization) {
  Provenance provenance = new_provenance(aligner);
  {
    Stage stage("checksums");
    stage.update(0, 2);
    provenance.source = origin_of(source);
    stage.update(1, 2);
    provenance.target = origin_of(target);
  }
  Normalizer source_normalizer = Normalizer::fit(normalization, source.table());
  Normalizer target_normalizer = Normalizer::fit(normalization, target.table());
  const Lexicon weighted = without_weightless(lexicon);
  const Lexicon usable = without_zero_rows(weighted, source.table(), target.table());
  provenance.lexicon = lexicon.coverage().to_line();
  return solve_to_mapping(aligner, {source, target, usable}, std::move(provenance), std::move(source_normalizer),
                          std::move(target_normalizer), weighted.size() - usable.size());
}

AlignmentPlan::AlignmentPlan(const AlignOptions& options) : asked_(options), method_(&align_method(options.method)) {
  const AlignOptionList known = all_align_options();
  for (const auto& [name, value] : options.options)
    if (known.find(name) == nullptr) throw_unknown_option(name, known.names());
  // In the order of declaration, so that the first wrong one is named; an option that several methods have is set for
  // all of them.
  for (const AlignMethod& method : align_methods()) {
    const AlignOptionList taken = options_of(method);
    for (const Option<AlignSettings>& option : taken.all())
      if (const auto given = options.options.find(option.name()); given != options.options.end())
        option.set(settings_, given->second);
  }
  for (const Option<AlignSettings>& option : known.all())
    if (option.info().is_file && options.options.contains(option.name())) inputs_.push_back(option.get(settings_));

  RefinementOptions refinement = settings_.refinement;
  refinement.rounds =
      settings_.refine.value_or(method_->needs_lexicon || method_->self_learns ? 0 : kRoundsWithoutLexicon);
  refines_ = refinement.rounds > 0;
  const AlignMethod* refit = refines_ ? &align_method(settings_.refine_with) : nullptr;
  refuse_foreign(options, refit);
  start_ = method_->load(settings_);
  if (refit != nullptr) check_refit(options, *refit);
  aligner_ = make_aligner(settings_, refit, refinement);
  check_rerank(options);
  settings_.rerank = settings_.rerank || (method_->reranks && !settings_.no_rerank);
  if (settings_.rerank && method_->needs_lexicon) {
    AlignSettings of_fold = settings_;
    of_fold.session = {};  // logs and checkpoints are those of the map itself
    fold_aligner_ = make_aligner(of_fold, refit, refinement);
  }
  normalization_ = Normalizer::parse(normalization_name(options, *method_, start()));
}

void AlignmentPlan::refuse_foreign(const AlignOptions& options, const AlignMethod* refit) const {
  if (!refines_)
    for (const std::string& name : shared_refinement_options().options.names())
      if (name != "refine" && options.options.contains(name))
        throw UsageError(fmt::format("--{} is for refinement: --refine N is needed", name));
  if (const std::string given = first_given(shared_training_options().options, options);
      !given.empty() && !method_->trains && (refit == nullptr || !refit->trains))
    throw UsageError(fmt::format("{} belongs to methods that train step by step, not to {}", given, method_->name));
  if (const std::string given = first_given(shared_restart_options().options, options);
      !given.empty() && method_->needs_lexicon)
    throw UsageError(fmt::format("{} belongs to methods without a lexicon, not to {}", given, method_->name));
  if (const std::string given = first_given(shared_self_learning_options().options, options); !given.empty()) {
    if (method_->chooses)
      throw UsageError(fmt::format("{}: auto finds out whether self-learning helps; name a --method for it", given));
    if (!method_->needs_lexicon)
      throw UsageError(fmt::format("{} belongs to methods with a lexicon, not to {}", given, method_->name));
    if (!settings_.self_learn) throw UsageError(fmt::format("{} is for self-learning: --self-learn is needed", given));
  }
  for (const AlignMethod& other : align_methods())
    for (const std::string& name : other.options.names())
      if (options.options.contains(name) && method_->options.find(name) == nullptr &&
          (refit == nullptr || refit->options.find(name) == nullptr))
        throw UsageError(fmt::format("--{} belongs to --method {}, not to {}", name,
                                     fmt::join(methods_with(name), ", "), method_->name));
}

void AlignmentPlan::check_rerank(const AlignOptions& options) const {
  if (settings_.rerank && settings_.no_rerank) throw UsageError("--rerank and --no-rerank contradict each other");
  if (!settings_.rerank && (!method_->reranks || settings_.no_rerank)) {
    if (options.options.contains("rerank-features"))
      throw UsageError("--rerank-features is for a re-ranker: --rerank is needed");
    return;
  }
  FeatureChoice::parse(settings_.rerank_features);
  if (start_)
    throw UsageError(
        "--rerank holds words of the lexicon out, which the mapping to start from may know: leave out one");
}

std::unique_ptr<const Aligner> AlignmentPlan::make_aligner(const AlignSettings& settings, const AlignMethod* refit,
                                                           const RefinementOptions& refinement) const {
  std::unique_ptr<const Aligner> aligner = method_->make(settings);
  if (settings.self_learn) {
    const auto make_rounds = method_->make_rounds != nullptr ? method_->make_rounds : method_->make;
    aligner = std::make_unique<SelfLearningAligner>(make_rounds(settings), std::move(aligner), settings.self_learning);
  }
  if (refit == nullptr) return aligner;
  return std::make_unique<RefinedAligner>(std::move(aligner), refit->make(settings), refinement);
}

namespace {

/// Whether weights of other languages take the place of what was learned: where the lexicon is small, or nothing could
/// be learned from it though it is not large, unless held-out words speak against them. A few frequent words do not
/// show what a re-ranker is good for.
bool takes_transferred(const TrainedReranker& trained, std::size_t lexicon_words) {
  constexpr std::size_t kSmallLexicon = 1000;
  if (lexicon_words >= (trained.model ? kSmallLexicon : RerankOptions().large_lexicon)) return false;
  const double lost = static_cast<double>(trained.lost) - static_cast<double>(trained.gained);
  return lost <= std::sqrt(static_cast<double>(trained.gained + trained.lost));
}

}  // namespace

void AlignmentPlan::learn_reranker(const WordVectors& source, const WordVectors& target, const Lexicon& lexicon,
                                   Mapping& mapping) const {
  const Lexicon usable = without_zero_rows(lexicon, source.table(), target.table());
  const LearnMap learn = [&](const Lexicon& pairs) {
    AlignmentResult result = fold_aligner_->solve({source, target, pairs});
    return Mapping(std::move(result.source_map), {}, {}, std::move(result.target_map));
  };
  // What the user asked for by name is done; a warning tells where it is spelling alone that helps.
  std::optional<std::string> objection;
  if (!asked_.options.contains("rerank-features"))
    objection = objection_to_spelling(usable, source.vocabulary(), target.vocabulary());
  AlignSettings settings = settings_;
  if (objection) settings.rerank_features = "semantic";
  const TrainedReranker trained =
      train_reranker({source, target, usable, learn},
                     {.features = settings.rerank_features, .folds = {.seed = Context::current().seed()}});
  mapping.reranker = trained.model;
  Provenance& provenance = mapping.provenance;
  provenance.options.merge(shared_rerank_options().options.describe(settings));
  provenance.report.rerank = RerankReport{
      trained.words,         trained.csls, trained.reranked, trained.gained, trained.lost, trained.model != nullptr, 0,
      objection.value_or("")};
  if (trained.gains_by_equal_strings_alone())
    provenance.report.add_warnings(
        {"the re-ranker's gain over CSLS is equal strings alone: it says nothing of words that differ"});
  if (!objection && takes_transferred(trained, usable.source_words().size()))
    transfer_reranker_to(source, target, usable, mapping);
}

void AlignmentPlan::transfer_reranker_to(const WordVectors& source, const WordVectors& target, const Lexicon& known,
                                         Mapping& mapping) const {
  const CommonSpace space(Mapping(mapping.source_map(), {}, {}, mapping.target_map()), source, target);
  Provenance& provenance = mapping.provenance;
  provenance.options.merge(shared_rerank_options().options.describe(settings_));
  if (!provenance.report.rerank) provenance.report.rerank.emplace();
  const auto transferred = transfer_reranker(space, known, {.features = settings_.rerank_features});
  if (!transferred) return;  // what was learned stays
  mapping.reranker = transferred;
  provenance.report.rerank->stored = true;
  provenance.report.rerank->transferred = transferred->pairs.size();
}

std::vector<std::string> AlignmentPlan::warnings(const WordVectors& source, const WordVectors& target,
                                                 const Lexicon& lexicon) const {
  std::vector<std::string> warnings = warnings_of(lexicon, std::min(source.dimension(), target.dimension()));
  if (start_)
    for (const auto& warning : {start_->mismatch(source, Side::source), start_->mismatch(target, Side::target)})
      if (warning) warnings.push_back(*warning);
  return warnings;
}

std::vector<std::string> AlignmentPlan::warnings_of(const Lexicon& lexicon, std::size_t needed) const {
  const std::size_t words = std::min(lexicon.source_words().size(), lexicon.target_words().size());
  if (lexicon.empty() || words >= needed) return {};
  return {fmt::format("{} distinct words of the lexicon cannot settle a map of {} dimensions", words, needed)};
}

Mapping AlignmentPlan::run(WordVectors source, WordVectors target, const Lexicon& lexicon) const {
  if (!method_->needs_lexicon && !lexicon.empty())
    throw UsageError(fmt::format("--method {} learns without a lexicon", method_->name));
  if (method_->chooses) return run_chosen(std::move(source), std::move(target), lexicon);
  Mapping mapping = wordbridge::align(*aligner_, source, target, lexicon, normalization_);
  if (fold_aligner_) learn_reranker(source, target, lexicon, mapping);
  if (settings_.rerank && !method_->needs_lexicon) transfer_reranker_to(source, target, lexicon, mapping);
  name_method(mapping.provenance);
  return mapping;
}

void AlignmentPlan::name_method(Provenance& provenance) const {
  provenance.criterion = method_->criterion;
  // A preset has a name of its own: the aligner's becomes an option.
  const std::string name = method_->name + (settings_.self_learn ? "+self-learn" : "") + (refines_ ? "+refine" : "");
  if (name != provenance.method) provenance.options["map"] = std::exchange(provenance.method, name);
}

Mapping AlignmentPlan::run_chosen(WordVectors source, WordVectors target, const Lexicon& lexicon) const {
  ChoiceReport choice = choose_map(source, target, lexicon, asked_.normalization);
  AlignOptions chosen = chosen_kind(choice).options;
  chosen.options.insert(asked_.options.begin(), asked_.options.end());
  if (!settings_.no_rerank) chosen.options.insert_or_assign("rerank", true);
  if (!asked_.normalization.empty()) chosen.normalization = asked_.normalization;
  Mapping mapping = AlignmentPlan(chosen).run(std::move(source), std::move(target), lexicon);
  Provenance& provenance = mapping.provenance;
  provenance.options["map"] = std::exchange(provenance.method, method_->name);
  provenance.report.choice = std::move(choice);
  return mapping;
}

Mapping align(WordVectors source, WordVectors target, const Lexicon& lexicon, const AlignOptions& options) {
  return AlignmentPlan(options).run(std::move(source), std::move(target), lexicon);
}

}  // namespace wordbridge
