#include "align/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "align/linear/procrustes.h"
#include "align/rcsls/rcsls.h"
#include "mapping/mapping_format.h"
#include "wordbridge/align.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

using S = AlignSettings;
using MadeAligner = std::unique_ptr<const Aligner>;

std::optional<Mapping> load_nothing(S&) { return std::nullopt; }

MadeAligner make_procrustes(const S&) { return std::make_unique<ProcrustesAligner>(); }
MadeAligner make_least_squares(const S& settings) {
  return std::make_unique<LeastSquaresAligner>(settings.least_squares);
}
MadeAligner make_smith(const S& settings) { return std::make_unique<SmithAligner>(settings.smith); }
MadeAligner make_vecmap(const S& settings) { return std::make_unique<VecmapAligner>(settings.vecmap); }

MadeAligner make_rcsls(const S& settings) {
  RcslsOptions options = settings.rcsls;
  options.session = settings.session;
  // Held-out words would be held out from the lexicon only, not from what is found by it.
  SelectionOptions& selection = options.selection;
  if (settings.self_learn && selection.mode == SelectionMode::automatic) selection.mode = SelectionMode::none;
  if (settings.self_learn && selection.mode == SelectionMode::validation && !selection.validation)
    throw UsageError(
        "--select validation: with --self-learn only words of their own (--validation FILE) can be held out");
  return std::make_unique<RcslsAligner>(std::move(options));
}

/// Self-learning's rounds end at the start of the training, which comes once, at the end.
MadeAligner make_rcsls_rounds(const S& settings) {
  if (settings.rcsls.init == "procrustes") return std::make_unique<ProcrustesAligner>();
  if (settings.rcsls.init == "vecmap") return std::make_unique<VecmapAligner>();
  throw UsageError(
      fmt::format("--self-learn starts from procrustes or vecmap, not from --init {}", settings.rcsls.init));
}

/// RCSLS steps on VecMap's map, the last fit of self-learning.
MadeAligner make_rcsls_on_vecmap() {
  RcslsOptions options;
  options.init = "vecmap";
  options.selection.mode = SelectionMode::none;
  return std::make_unique<RcslsAligner>(std::move(options));
}

/// What `auto` takes where nothing can be held out.
MadeAligner make_first_choice(const S& settings) {
  return std::make_unique<SelfLearningAligner>(std::make_unique<VecmapAligner>(), make_rcsls_on_vecmap(),
                                               settings.self_learning);
}

std::optional<Mapping> load_rcsls(S& settings) {
  RcslsOptions& options = settings.rcsls;
  if (!settings.validation.empty()) {
    options.selection.validation = read_word_pairs(settings.validation);
    if (options.selection.mode == SelectionMode::automatic) options.selection.mode = SelectionMode::validation;
  }
  if (is_named_start(options.init)) return std::nullopt;
  Mapping start = read_mapping(options.init);
  options.start_map = start.source_map();
  options.target_map = start.target_map();
  return start;
}

/// Methods without a lexicon are tried with one seed after the other.
template <class Method, auto Options>
MadeAligner make_restarted(const S& settings) {
  RestartOptions restarts = settings.restarts;
  restarts.session = settings.session;
  const auto make = [options = settings.*Options](const TrainingSessionOptions& session) {
    auto own = options;
    own.session = session;
    return std::make_unique<Method>(std::move(own));
  };
  return std::make_unique<RestartedAligner>(make, std::move(restarts));
}

MadeAligner make_unsupervised(const S& settings) {
  return std::make_unique<SelfLearningAligner>(
      make_restarted<StochasticSelfLearningAligner, &S::unsupervised>(settings), std::make_unique<VecmapAligner>(),
      make_rcsls_on_vecmap());
}

std::optional<Mapping> load_restarted(S& settings) {
  if (!settings.validation.empty()) settings.restarts.validation = read_word_pairs(settings.validation);
  return std::nullopt;
}

std::vector<AlignMethod> make_methods() {
  const AlignOptionList none;
  const AlignOptionList rcsls = rcsls_options().within<S>(&S::rcsls);
  const AlignOptionList least_squares = least_squares_options().within<S>(&S::least_squares);
  const AlignOptionList vecmap = vecmap_options().within<S>(&S::vecmap);
  const AlignOptionList smith = smith_options().within<S>(&S::smith);
  const AlignOptionList adversarial = adversarial_options().within<S>(&S::adversarial);
  const AlignOptionList icp = icp_options().within<S>(&S::icp);
  const AlignOptionList wasserstein = wasserstein_options().within<S>(&S::wasserstein);
  const AlignOptionList unsupervised = unsupervised_options().within<S>(&S::unsupervised);
  const std::string whitened = "unit,center,unit";
  return {
      {"auto", "the kind of map that does best on held-out words", whitened, "csls", true, false, true, none,
       make_first_choice, load_nothing, nullptr, false, true},
      {"rcsls", "the paper's method, learned with the retrieval criterion", "unit", "csls", true, true, false, rcsls,
       make_rcsls, load_rcsls, make_rcsls_rounds},
      {"procrustes", "the best rotation", "unit", "csls", true, false, false, none, make_procrustes, load_nothing},
      {"least-squares", "the best linear map", "unit", "csls", true, false, false, least_squares, make_least_squares,
       load_nothing},
      {"vecmap", "whitened, rotated and re-weighted on both sides (Artetxe 2018)", whitened, "csls", true, false, false,
       vecmap, make_vecmap, load_nothing},
      {"smith", "rotated on both sides (Smith 2017)", "unit", "isf", true, false, false, smith, make_smith,
       load_nothing},
      {"artetxe", "procrustes as in Artetxe 2016", "unit,center", "nn", true, false, false, none, make_procrustes,
       load_nothing},
      {"mikolov", "least-squares as in Mikolov 2013", "none", "nn", true, false, false, least_squares,
       make_least_squares, load_nothing},
      {"unsupervised", "without a lexicon, by stochastic self-learning (Artetxe 2018)", whitened, "csls", false, true,
       false, unsupervised, make_unsupervised, load_restarted, nullptr, true, true},
      {"adversarial", "without a lexicon, against a discriminator (Conneau 2018)", whitened, "csls", false, true, false,
       adversarial, make_restarted<AdversarialAligner, &S::adversarial>, load_restarted},
      {"icp", "without a lexicon, by closest points (Hoshen & Wolf 2018)", whitened, "csls", false, true, false, icp,
       make_restarted<IcpAligner, &S::icp>, load_restarted},
      {"wasserstein", "without a lexicon, by optimal transport (Grave 2018)", whitened, "csls", false, true, false,
       wasserstein, make_restarted<WassersteinProcrustesAligner, &S::wasserstein>, load_restarted},
      {"dinu", "least-squares as in Dinu 2014", "unit", "gc", true, false, false, least_squares, make_least_squares,
       load_nothing},
  };
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const AlignMethod& method : align_methods()) names.push_back(method.name);
  return names;
}

}  // namespace

const std::vector<AlignMethod>& align_methods() {
  static const std::vector<AlignMethod> kMethods = make_methods();
  return kMethods;
}

const AlignMethod& align_method(std::string_view name) {
  const auto found = std::ranges::find(align_methods(), name, &AlignMethod::name);
  if (found == align_methods().end())
    throw UsageError(fmt::format("--method: '{}' is none of {}", name, fmt::join(method_names(), ", ")));
  return *found;
}

const SharedAlignOptions& shared_training_options() {
  static const SharedAlignOptions kShared = [] {
    AlignOptionList list;
    list.add("validation", &S::validation,
             "Lexicon on which rcsls selects, instead of a split; methods without a lexicon only report on it")
        .file();
    list.add(
            "log", [](auto& settings) -> auto& { return settings.session.log; },
            "Write the course of training, one JSON object a line")
        .value_name("FILE")
        .writes();
    list.add(
            "checkpoint", [](auto& settings) -> auto& { return settings.session.checkpoint; },
            "Save the state there as training goes on")
        .value_name("FOLDER")
        .writes();
    list.add(
            "resume", [](auto& settings) -> auto& { return settings.session.resume; },
            "Go on from the checkpoint, where there is one")
        .writes();
    AlignOptionList once;
    for (Option<S> option : list.all()) once.append(option.once().undescribed());
    return SharedAlignOptions{"Training (rcsls and the methods without a lexicon)", once};
  }();
  return kShared;
}

const SharedAlignOptions& shared_restart_options() {
  static const SharedAlignOptions kShared{"Methods without a lexicon", restart_options().within<S>(&S::restarts)};
  return kShared;
}

const SharedAlignOptions& shared_refinement_options() {
  static const SharedAlignOptions kShared = [] {
    AlignOptionList list;
    list.add("refine", &S::refine,
             fmt::format("Rounds after the method: the best pairs of frequent words by CSLS become the lexicon of "
                         "another fit; auto: {} for methods without a lexicon, 0 for the others",
                         kRoundsWithoutLexicon))
        .range(0, 1000);
    list.add("refine-with", &S::refine_with, "The method of these fits").choices(method_names());
    list.append(refinement_options().within<S>(&S::refinement));
    return SharedAlignOptions{"Refinement", std::move(list)};
  }();
  return kShared;
}

const SharedAlignOptions& shared_rerank_options() {
  static const SharedAlignOptions kShared = [] {
    AlignOptionList list;
    list.add("rerank", &S::rerank,
             "Learn a re-ranker, too: it ranks translations by meaning, spelling and frequency, with probabilities")
        .describe_if([](const S& settings) { return settings.rerank; });
    list.add("no-rerank", &S::no_rerank, "Learn none, whatever is usual for the method").undescribed();
    list.add("rerank-features", &S::rerank_features,
             "What it looks at: all, or some of semantic, spelling, frequency joined by commas")
        .describe_if([](const S& settings) { return settings.rerank; })
        .value_name("LIST");
    return SharedAlignOptions{"Re-ranker", std::move(list)};
  }();
  return kShared;
}

const SharedAlignOptions& shared_self_learning_options() {
  static const SharedAlignOptions kShared = [] {
    AlignOptionList list;
    list.add("self-learn", &S::self_learn,
             "Learn also from frequent words that are each other's best by CSLS, round by round, and at first from "
             "words "
             "that both languages write alike")
        .undescribed();
    list.append(self_learning_options().within<S>(&S::self_learning));
    return SharedAlignOptions{"Self-learning (methods with a lexicon)", std::move(list)};
  }();
  return kShared;
}

std::vector<const SharedAlignOptions*> shared_align_options() {
  return {&shared_training_options(), &shared_restart_options(), &shared_self_learning_options(),
          &shared_refinement_options(), &shared_rerank_options()};
}

AlignOptionList options_of(const AlignMethod& method) {
  AlignOptionList all = method.options;
  if (method.trains) all.append(shared_training_options().options);
  if (!method.needs_lexicon) all.append(shared_restart_options().options);
  if (method.needs_lexicon && !method.chooses) all.append(shared_self_learning_options().options);
  all.append(shared_refinement_options().options);
  all.append(shared_rerank_options().options);
  return all;
}

AlignOptionList all_align_options() {
  AlignOptionList all;
  for (const AlignMethod& method : align_methods())
    for (const Option<S>& option : method.options.all())
      if (all.find(option.name()) == nullptr) all.append(option);
  for (const SharedAlignOptions* shared : shared_align_options()) all.append(shared->options);
  return all;
}

std::vector<std::string> methods_with(std::string_view option) {
  std::vector<std::string> names;
  for (const AlignMethod& method : align_methods())
    if (method.options.find(option) != nullptr) names.push_back(method.name);
  return names;
}

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> result;
  for (const AlignMethod& method : align_methods()) {
    MethodInfo info{method.name, method.summary, method.normalization, method.criterion, method.needs_lexicon, {}};
    const AlignOptionList options = options_of(method);
    for (const auto& option : options.all()) info.options.push_back(option.info());
    result.push_back(std::move(info));
  }
  return result;
}

}  // namespace wordbridge
