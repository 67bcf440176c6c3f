#include "align/alignment_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "align/paired_rows.h"
#include "base/option_error.h"
#include "retrieval/rerank/transferred_reranker.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

namespace {

/// The first of these options that is given.
std::optional<OptionName> first_given(const AlignOptionList& list, const AlignOptions& options) {
  for (const std::string& name : list.names())
    if (options.options.contains(name)) return OptionName(name);
  return std::nullopt;
}

/// As asked for, else that of the mapping to start from, else the method's.
std::string normalization_name(const AlignOptions& options, const AlignMethod& method, const Mapping* start) {
  if (start == nullptr) return options.normalization.empty() ? method.normalization : options.normalization;
  std::string own = start->normalizer(Side::source).name();
  if (!options.normalization.empty() && options.normalization != own)
    throw OptionError(OptionName("normalize", options.normalization) +
                      ": the mapping to start from was learned after '" + own + "'");
  return own;
}

void check_refit(const AlignOptions& options, const AlignMethod& refit) {
  const AlignOptionList taken = options_of(refit);
  for (const Option<AlignSettings>& option : taken.all())
    if (option.info().once && options.options.contains(option.name()))
      throw OptionError(OptionName(option.name()) + " is for one training, not for " +
                        OptionName("refine-with", refit.name));
  if (refit.chooses) throw OptionError(OptionName("refine-with", "auto") + ": name the method of these fits");
  if (!refit.needs_lexicon)
    throw OptionError(OptionName("refine-with", refit.name) + ": the method does not learn from a lexicon");
}

}  // namespace

AlignmentPlan::AlignmentPlan(const AlignOptions& options)
    : method_(&align_method(options.method)),
      normalization_asked_(!options.normalization.empty()),
      features_asked_(options.options.contains("rerank-features")) {
  set_options(settings_, options.options);
  const AlignOptionList known = all_align_options();
  for (const Option<AlignSettings>& option : known.all())
    if (option.info().is_file && options.options.contains(option.name())) inputs_.push_back(option.get(settings_));

  refinement_ = settings_.refinement;
  refinement_.rounds =
      settings_.refine.value_or(method_->needs_lexicon || method_->self_learns ? 0 : kRoundsWithoutLexicon);
  if (refinement_.rounds > 0) refit_ = &align_method(settings_.refine_with);
  refuse_foreign(options, refit_);
  if (method_->load != nullptr) start_ = method_->load(settings_);
  if (refit_ != nullptr) check_refit(options, *refit_);
  recipe_ = make_recipe(*method_, settings_);
  check_rerank();
  settings_.rerank = settings_.rerank || (method_->reranks && !settings_.no_rerank);
  normalization_ = Normalizer::parse(normalization_name(options, *method_, start()));
}

void AlignmentPlan::refuse_foreign(const AlignOptions& options, const AlignMethod* refit) const {
  if (refit == nullptr)
    for (const std::string& name : shared_refinement_options().options.names())
      if (name != "refine" && options.options.contains(name))
        throw OptionError(OptionName(name) + " is for refinement: " + OptionName("refine", "N") + " is needed");
  const auto refuse = [&](const OptionName& given, const std::string& methods) {
    throw OptionError(given + " belongs to " + methods + ", not to " + method_->name);
  };
  if (const auto given = first_given(shared_training_options().options, options);
      given && !method_->trains && (refit == nullptr || !refit->trains))
    refuse(*given, "methods that train step by step");
  if (const auto given = first_given(shared_restart_options().options, options); given && method_->needs_lexicon)
    refuse(*given, "methods without a lexicon");
  if (const auto given = first_given(shared_self_learning_options().options, options)) {
    if (method_->chooses)
      throw OptionError(*given + ": auto finds out whether self-learning helps; name a " + OptionName("method") +
                        " for it");
    if (!method_->needs_lexicon) refuse(*given, "methods with a lexicon");
    if (!settings_.self_learn)
      throw OptionError(*given + " is for self-learning: " + OptionName("self-learn") + " is needed");
  }
  if (const auto given = first_given(shared_lexicon_options().options, options); given && !method_->needs_lexicon)
    refuse(*given, "methods with a lexicon");
  for (const AlignMethod& other : align_methods())
    for (const std::string& name : other.options.names())
      if (options.options.contains(name) && method_->options.find(name) == nullptr &&
          (refit == nullptr || refit->options.find(name) == nullptr))
        throw OptionError(OptionName(name) + " belongs to " +
                          OptionName("method", fmt::format("{}", fmt::join(methods_with(name), ", "))) + ", not to " +
                          method_->name);
}

void AlignmentPlan::check_rerank() const {
  if (settings_.rerank && settings_.no_rerank)
    throw OptionError(OptionName("rerank") + " and " + OptionName("no-rerank") + " contradict each other");
  if (!settings_.rerank && (!method_->reranks || settings_.no_rerank)) {
    if (features_asked_)
      throw OptionError(OptionName("rerank-features") + " is for a re-ranker: " + OptionName("rerank") + " is needed");
    return;
  }
  FeatureChoice::parse(settings_.rerank_features);
  if (start_)
    throw OptionError(OptionName("rerank") +
                      " holds words of the lexicon out, which the mapping to start from may know: leave out one");
}

AlignmentPlan::Recipe AlignmentPlan::make_recipe(const AlignMethod& method, const AlignSettings& settings) const {
  const auto make = [&](const AlignSettings& own) {
    std::unique_ptr<const Aligner> aligner = make_aligner(method, own);
    if (refit_ == nullptr) return aligner;
    return std::unique_ptr<const Aligner>(
        std::make_unique<RefinedAligner>(std::move(aligner), refit_->make(own), refinement_));
  };
  AlignSettings of_fold = settings;
  of_fold.session = {};  // logs and checkpoints are those of the map itself
  return {method.name + (settings.self_learn ? "+self-learn" : "") + (refit_ != nullptr ? "+refine" : ""),
          make(settings), make(of_fold)};
}

void AlignmentPlan::require_shardable() const {
  const auto refuse = [](const OptionName& what) {
    throw OptionError(what + ": several processes cannot share that work; run 'wordbridge align' on one machine");
  };
  if (method_->chooses)
    throw OptionError(OptionName("method", "auto") + " is for one process; several share the work of " +
                      OptionName("method", "rcsls, procrustes, ..."));
  if (!method_->needs_lexicon) refuse(OptionName("method", method_->name));
  if (refit_ != nullptr) refuse(OptionName("refine"));
  if (settings_.self_learn) refuse(OptionName("self-learn"));
  if (settings_.rerank) refuse(OptionName("rerank"));
  if (!method_->trains) return;
  const RcslsOptions& options = settings_.rcsls;
  if (options.init == "vecmap") refuse(OptionName("init", "vecmap"));
  if (options.target_map) refuse(OptionName("init", "with a mapping that moves the target side"));
  const SelectionMode mode = options.selection.mode;
  if (mode == SelectionMode::none || (mode == SelectionMode::automatic && options.learning_rate)) return;
  throw OptionError("several processes do not select the settings of rcsls: name a " + OptionName("learning-rate") +
                    ", as 'wordbridge align' on fewer words (" + OptionName("max-words") + ") selects it");
}

PreparedProblem AlignmentPlan::prepare(WordVectors source, WordVectors target, const Lexicon& lexicon,
                                       const InputNames& names) const {
  if (!method_->needs_lexicon && !lexicon.empty())
    throw OptionError(OptionName("method", method_->name) + " learns without a lexicon");
  // Other kinds of map are learned after other steps.
  const bool keep_raw = method_->chooses && !normalization_asked_ && settings_.compared == ComparedKinds::all;
  return PreparedProblem(std::move(source), std::move(target), lexicon, normalization_, names, keep_raw);
}

PreparedProblem AlignmentPlan::prepare(ShardedVectors source, ShardedVectors target, const Lexicon& lexicon,
                                       const InputNames& names) const {
  require_shardable();
  require_pairs(lexicon);
  return PreparedProblem(std::move(source), std::move(target), lexicon, normalization_, names);
}

std::vector<std::string> AlignmentPlan::warnings(const PreparedProblem& problem) const {
  std::vector<std::string> warnings;
  const Lexicon& lexicon = problem.lexicon();
  const std::size_t words = std::min(lexicon.source_words().size(), lexicon.target_words().size());
  const std::size_t needed = std::min(problem.source().dimension(), problem.target().dimension());
  if (!lexicon.empty() && words < needed)
    warnings.push_back(
        fmt::format("{} distinct words of the lexicon cannot settle a map of {} dimensions", words, needed));
  if (!start_) return warnings;
  for (const Side side : {Side::source, Side::target}) {
    const VectorsOrigin& origin = problem.origin(side);
    const std::string name = origin.name.empty() ? "the vectors given" : origin.name;
    if (const auto warning = start_->mismatch(name, origin.words, origin.checksum, side)) warnings.push_back(*warning);
  }
  return warnings;
}

Mapping AlignmentPlan::run(PreparedProblem problem) const {
  if (method_->chooses) return run_chosen(std::move(problem));
  Mapping mapping = problem.solve(*recipe_.of_all);
  if (settings_.rerank && method_->needs_lexicon) add_reranker(learn_reranker(recipe_, problem), problem, mapping);
  if (settings_.rerank && !method_->needs_lexicon) transfer_reranker_to(problem, problem.lexicon(), mapping);
  if (settings_.no_lexicon) leave_lexicon_out(problem, mapping);
  Provenance& provenance = mapping.provenance;
  provenance.criterion = method_->criterion;
  // A preset has a name of its own: the aligner's becomes an option.
  if (recipe_.name != provenance.method) provenance.options["map"] = std::exchange(provenance.method, recipe_.name);
  return mapping;
}

Mapping AlignmentPlan::run_chosen(PreparedProblem problem) const {
  std::map<const MapKind*, Recipe> recipes;
  const auto recipe_of = [&](const MapKind& kind) -> const Recipe& {
    if (const auto found = recipes.find(&kind); found != recipes.end()) return found->second;
    AlignSettings settings = settings_;
    set_options(settings, kind.options.options);
    return recipes.emplace(&kind, make_recipe(align_method(kind.options.method), settings)).first->second;
  };
  MapChoice choice = choose_map(
      problem, {.compared = settings_.compared, .any_normalization = normalization_asked_, .reranks = settings_.rerank},
      [&](const MapKind& kind) -> const Aligner& { return *recipe_of(kind).of_folds; });
  const MapKind& kind = *choice.kind;
  if (problem.keeps_raw() && kind.options.normalization != problem.normalizer(Side::source).name())
    problem = problem.normalized_as(Normalizer::parse(kind.options.normalization));
  problem.forget_raw();
  const Recipe& recipe = recipe_of(kind);
  // Before the last map, whose learning takes memory of its own.
  std::optional<LearnedReranker> reranker;
  if (settings_.rerank) reranker = learn_reranker(recipe, problem, std::exchange(choice.space, std::nullopt));
  choice.space.reset();
  Mapping mapping = problem.solve(*recipe.of_all);
  if (reranker) add_reranker(*reranker, problem, mapping);
  if (settings_.no_lexicon) leave_lexicon_out(problem, mapping);
  mapping.provenance.method = method_->name;
  mapping.provenance.options["map"] = recipe.name;
  mapping.provenance.report.choice = std::move(choice.report);
  return mapping;
}

namespace {

CommonSpace space_of(const PreparedProblem& problem, const Mapping& mapping) {
  return CommonSpace::mapped(Mapping(mapping.source_map(), {}, {}, mapping.target_map()), problem.source(),
                             problem.target());
}

}  // namespace

AlignmentPlan::LearnedReranker AlignmentPlan::learn_reranker(const Recipe& recipe, const PreparedProblem& problem,
                                                             std::optional<CommonSpace> first_fold) const {
  const WordVectors &source = problem.source(), &target = problem.target();
  const Lexicon& usable = problem.problem().lexicon;
  const LearnSpace learn = [&](const Lexicon& pairs) {
    if (first_fold) return *std::exchange(first_fold, std::nullopt);
    AlignmentResult result = recipe.of_folds->solve(problem.problem(pairs));
    return CommonSpace::mapped(Mapping(std::move(result.source_map), {}, {}, std::move(result.target_map)), source,
                               target);
  };
  LearnedReranker learned;
  // What the user asked for by name is done; a warning tells where it is spelling alone that helps.
  const bool items = row_names(source.summary()) != RowNames::words || row_names(target.summary()) != RowNames::words;
  if (!features_asked_)
    learned.objection =
        items ? "the rows are items with ids" : objection_to_spelling(usable, source.vocabulary(), target.vocabulary());
  learned.features = learned.objection ? "semantic" : settings_.rerank_features;
  learned.trained = train_reranker({source.vocabulary(), target.vocabulary(), usable, learn},
                                   {.features = learned.features, .folds = {.seed = Context::current().seed()}});
  return learned;
}

void AlignmentPlan::add_reranker(const LearnedReranker& learned, const PreparedProblem& problem,
                                 Mapping& mapping) const {
  const TrainedReranker& trained = learned.trained;
  const Lexicon& usable = problem.problem().lexicon;
  AlignSettings settings = settings_;
  settings.rerank_features = learned.features;
  mapping.reranker = trained.model;
  Provenance& provenance = mapping.provenance;
  provenance.options.merge(shared_rerank_options().options.describe(settings));
  provenance.report.rerank = RerankReport{trained.words,
                                          trained.csls,
                                          trained.reranked,
                                          trained.gained,
                                          trained.lost,
                                          trained.model != nullptr,
                                          0,
                                          learned.objection.value_or("")};
  if (trained.gains_by_spelling_alone())
    provenance.report.add_warnings(
        {"the re-ranker's gain over CSLS is spelling alone: it says nothing of words that are not written alike"});
  if (!learned.objection && wants_transferred(trained, usable.source_words().size()))
    transfer_reranker_to(problem, usable, mapping);
}

/// A re-ranker asks what words near a word are translated by: then it is told what the map itself finds.
void AlignmentPlan::leave_lexicon_out(const PreparedProblem& problem, Mapping& mapping) const {
  mapping.lexicon = nullptr;
  mapping.provenance.options.merge(shared_lexicon_options().options.describe(settings_));
  if (!mapping.reranker) return;
  RerankModel model = *mapping.reranker;
  model.pairs = found_by_map(space_of(problem, mapping));
  mapping.reranker = std::make_shared<const RerankModel>(std::move(model));
}

void AlignmentPlan::transfer_reranker_to(const PreparedProblem& problem, const Lexicon& known, Mapping& mapping) const {
  const CommonSpace space = space_of(problem, mapping);
  Provenance& provenance = mapping.provenance;
  provenance.options.merge(shared_rerank_options().options.describe(settings_));
  if (!provenance.report.rerank) provenance.report.rerank.emplace();
  if (const auto objection = objection_to_spelling(problem.source().vocabulary(), problem.target().vocabulary());
      known.empty() && objection)
    provenance.report.rerank->without_spelling = *objection;
  const auto transferred = transfer_reranker(space, known, {.features = settings_.rerank_features});
  if (!transferred) return;  // what was learned stays
  mapping.reranker = transferred;
  provenance.report.rerank->stored = true;
  provenance.report.rerank->transferred = transferred->pairs.size();
}

}  // namespace wordbridge
