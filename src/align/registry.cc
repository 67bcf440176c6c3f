#include "align/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "align/linear/procrustes.h"
#include "align/rcsls/rcsls.h"
#include "base/option_error.h"
#include "base/option_text.h"
#include "mapping/mapping_format.h"
#include "wordbridge/align.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

using S = AlignSettings;
using MadeAligner = std::unique_ptr<const Aligner>;

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
    throw OptionError(OptionName("select", "validation") + ": with " + OptionName("self-learn") +
                      " only words of their own (" + OptionName("validation") + ") can be held out");
  return std::make_unique<RcslsAligner>(std::move(options));
}

/// Self-learning's rounds end at the start of the training, which comes once, at the end.
MadeAligner make_rcsls_rounds(const S& settings) {
  if (settings.rcsls.init == "procrustes") return std::make_unique<ProcrustesAligner>();
  if (settings.rcsls.init == "vecmap") return std::make_unique<VecmapAligner>();
  throw OptionError(OptionName("self-learn") + " starts from procrustes or vecmap, not from " +
                    OptionName("init", settings.rcsls.init));
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

AlignOptionList auto_options() {
  AlignOptionList list;
  list.add("choose", &S::compared,
           std::vector<std::pair<std::string, ComparedKinds>>{{"needed", ComparedKinds::needed},
                                                              {"all", ComparedKinds::all}},
           "Kinds of map to compare on held-out words: the usual one with VecMap's plain map, and the others where it "
           "seems to lose (needed), or all")
      .undescribed();
  return list;
}

std::vector<AlignMethod> make_methods() {
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
      {.name = "auto",
       .summary = "the kind of map that does best on held-out words",
       .normalization = whitened,
       .criterion = "csls",
       .chooses = true,
       .reranks = true,
       .options = auto_options(),
       .make = make_first_choice},
      {.name = "rcsls",
       .summary = "the paper's method, learned with the retrieval criterion",
       .normalization = "unit",
       .criterion = "csls",
       .trains = true,
       .options = rcsls,
       .make = make_rcsls,
       .make_rounds = make_rcsls_rounds,
       .load = load_rcsls},
      {.name = "procrustes",
       .summary = "the best rotation",
       .normalization = "unit",
       .criterion = "csls",
       .make = make_procrustes},
      {.name = "least-squares",
       .summary = "the best linear map",
       .normalization = "unit",
       .criterion = "csls",
       .options = least_squares,
       .make = make_least_squares},
      {.name = "vecmap",
       .summary = "whitened, rotated and re-weighted on both sides (Artetxe 2018)",
       .normalization = whitened,
       .criterion = "csls",
       .options = vecmap,
       .make = make_vecmap},
      {.name = "smith",
       .summary = "rotated on both sides (Smith 2017)",
       .normalization = "unit",
       .criterion = "isf",
       .options = smith,
       .make = make_smith},
      {.name = "artetxe",
       .summary = "procrustes as in Artetxe 2016",
       .normalization = "unit,center",
       .criterion = "nn",
       .make = make_procrustes},
      {.name = "mikolov",
       .summary = "least-squares as in Mikolov 2013",
       .normalization = "none",
       .criterion = "nn",
       .options = least_squares,
       .make = make_least_squares},
      {.name = "unsupervised",
       .summary = "without a lexicon, by stochastic self-learning (Artetxe 2018)",
       .normalization = whitened,
       .criterion = "csls",
       .needs_lexicon = false,
       .trains = true,
       .self_learns = true,
       .reranks = true,
       .options = unsupervised,
       .make = make_unsupervised,
       .load = load_restarted},
      {.name = "adversarial",
       .summary = "without a lexicon, against a discriminator (Conneau 2018)",
       .normalization = whitened,
       .criterion = "csls",
       .needs_lexicon = false,
       .trains = true,
       .options = adversarial,
       .make = make_restarted<AdversarialAligner, &S::adversarial>,
       .load = load_restarted},
      {.name = "icp",
       .summary = "without a lexicon, by closest points (Hoshen & Wolf 2018)",
       .normalization = whitened,
       .criterion = "csls",
       .needs_lexicon = false,
       .trains = true,
       .options = icp,
       .make = make_restarted<IcpAligner, &S::icp>,
       .load = load_restarted},
      {.name = "wasserstein",
       .summary = "without a lexicon, by optimal transport (Grave 2018)",
       .normalization = whitened,
       .criterion = "csls",
       .needs_lexicon = false,
       .trains = true,
       .options = wasserstein,
       .make = make_restarted<WassersteinProcrustesAligner, &S::wasserstein>,
       .load = load_restarted},
      {.name = "dinu",
       .summary = "least-squares as in Dinu 2014",
       .normalization = "unit",
       .criterion = "gc",
       .options = least_squares,
       .make = make_least_squares},
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
  if (found == align_methods().end()) throw OptionError(OptionName("method") + ": " + none_of(name, method_names()));
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

const SharedAlignOptions& shared_lexicon_options() {
  static const SharedAlignOptions kShared = [] {
    AlignOptionList list;
    list.add("no-lexicon", &S::no_lexicon,
             "The mapping does not carry the lexicon, for pairs that must not travel: translations do not know it then")
        .describe_if([](const S& settings) { return settings.no_lexicon; });
    return SharedAlignOptions{"Lexicon", std::move(list)};
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
  return {&shared_training_options(),   &shared_restart_options(), &shared_self_learning_options(),
          &shared_refinement_options(), &shared_rerank_options(),  &shared_lexicon_options()};
}

AlignOptionList options_of(const AlignMethod& method) {
  AlignOptionList all = method.options;
  if (method.trains) all.append(shared_training_options().options);
  if (!method.needs_lexicon) all.append(shared_restart_options().options);
  if (method.needs_lexicon && !method.chooses) all.append(shared_self_learning_options().options);
  if (method.needs_lexicon) all.append(shared_lexicon_options().options);
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

void set_options(AlignSettings& settings, const std::map<std::string, OptionValue>& options) {
  const AlignOptionList known = all_align_options();
  for (const auto& [name, value] : options)
    if (known.find(name) == nullptr) throw_unknown_option(name, known.names());
  // In the order of declaration, so that the first wrong one is named; an option that several methods have is set for
  // all of them.
  for (const AlignMethod& method : align_methods()) {
    const AlignOptionList taken = options_of(method);
    for (const Option<AlignSettings>& option : taken.all())
      if (const auto given = options.find(option.name()); given != options.end()) option.set(settings, given->second);
  }
}

std::unique_ptr<const Aligner> make_aligner(const AlignMethod& method, const AlignSettings& settings) {
  std::unique_ptr<const Aligner> aligner = method.make(settings);
  if (!settings.self_learn) return aligner;
  const auto make_rounds = method.make_rounds != nullptr ? method.make_rounds : method.make;
  return std::make_unique<SelfLearningAligner>(make_rounds(settings), std::move(aligner), settings.self_learning);
}

}  // namespace wordbridge
