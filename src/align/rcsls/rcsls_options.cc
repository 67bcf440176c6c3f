#include "align/rcsls/rcsls_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string_view>

#include "align/training/checkpoint.h"
#include "optimize/constraint.h"
#include "optimize/rcsls_objective.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

void require(bool condition, const char* message) {
  if (!condition) throw UsageError(message);
}

bool is_positive(double value) { return value > 0 && std::isfinite(value); }

void check(const SelectionOptions& selection) {
  require(!selection.learning_rates.empty(), "selection needs one learning rate at least");
  require(!selection.epochs.empty(), "selection needs one number of epochs at least");
  require(!selection.blends.empty(), "selection needs one blend at least");
  for (const double rate : selection.learning_rates) require(is_positive(rate), "the learning rate must be above 0");
  for (const int epochs : selection.epochs) require(epochs >= 1, "the number of epochs must be 1 or more");
  for (const double blend : selection.blends) require(blend > 0 && blend <= 1, "a blend must be above 0 and at most 1");
  require(selection.split > 0 && selection.split < 1, "the validation split must be above 0 and below 1");
  require(selection.frequent_words > 0, "selection needs one frequent word at least");
}

bool selects(const RcslsOptions& options) {
  return options.selection.mode != SelectionMode::none && !options.learning_rate;
}

bool splits(const RcslsOptions& options) {
  return selects(options) && options.selection.mode != SelectionMode::unsupervised && !options.selection.validation;
}

template <class E>
using Words = std::vector<std::pair<std::string, E>>;

void add_training(OptionList<RcslsOptions>& list) {
  using S = RcslsOptions;
  list.add("learning-rate", &S::learning_rate,
           fmt::format("Length of the first steps; auto: selected on held-out words, or {} (from vecmap {})",
                       kDefaultLearningRate, kVecmapLearningRate))
      .above(0)
      .zero_is_unset();
  list.add(
          "epochs", &S::epochs,
          fmt::format("Steps; auto: selected on held-out words, or {} (from vecmap {})", kDefaultEpochs, kVecmapEpochs))
      .zero_is_unset();
  list.add("constraint", &S::constraint, "What W must be: any matrix (none), of spectral norm at most 1, or orthogonal")
      .choices({"none", "spectral", "orthogonal"});
  list.add("pool", &S::pool, Words<NeighborPool>{{"extended", NeighborPool::extended}, {"train", NeighborPool::train}},
           "Words among which neighbors are looked for: of the whole vocabularies (extended), or of the lexicon");
  list.add("max-negatives", &S::max_negatives, "Most frequent words of each language in the extended pool")
      .at_least(1)
      .describe_if([](const S& options) { return options.pool == NeighborPool::extended; });
  list.add("neighbors", &S::neighbors, "k, the neighbors in the loss").at_least(1);
  list.add("loss", &S::loss, "What is taken of the neighbors' scores").choices({"mean", "logsumexp"});
  list.add("temperature", &S::temperature, "Temperature of logsumexp").above(0).describe_if([](const S& options) {
    return options.loss == "logsumexp";
  });
  list.add("l2", &S::l2, "Weight decay").at_least(0);
  list.add("batch", &S::batch, "Pairs a step, drawn anew each time; 0: all");
  list.add("max-pairs", &S::max_pairs, "Use the first so many pairs; 0: all");
  list.add("schedule", &S::schedule,
           Words<Schedule>{{"monotone", Schedule::monotone}, {"reference", Schedule::reference}},
           "What happens when the loss rises: the step is taken back and halved (monotone), or what the published "
           "script does");
  list.add("init", &S::init,
           "procrustes, vecmap, identity, or a mapping (.wbmap) of any method to start from, whose normalization and "
           "target "
           "side are kept")
      .file("START")
      .once()
      .describe([](const S& options) {
        return options.start_map ? "given (" + checksum_of(*options.start_map) + ")" : options.init;
      });
}

void add_selection(OptionList<RcslsOptions>& list) {
  using S = RcslsOptions;
  using enum SelectionMode;
  list.add(
      "select", [](auto& options) -> auto& { return options.selection.mode; },
      Words<SelectionMode>{
          {"automatic", automatic}, {"none", none}, {"validation", validation}, {"unsupervised", unsupervised}},
      "How settings are chosen: on held-out words where no learning rate is named, and near the start where the "
      "lexicon "
      "has fewer than 1500 source words (automatic), not at all, on held-out words, or by how well the frequent words "
      "of both languages find "
      "each other");
  list.add(
          "validation-split", [](auto& options) -> auto& { return options.selection.split; },
          "Share of the lexicon's source words held out")
      .above(0)
      .below(1)
      .describe([](const S& options) -> std::optional<std::string> {
        if (!splits(options)) return std::nullopt;
        return fmt::format("{}, {}", options.selection.split,
                           options.selection.held_out == HeldOutWords::rare ? "rare" : "random");
      });
  list.add(
          "validation-words", [](auto& options) -> auto& { return options.selection.held_out; },
          Words<HeldOutWords>{{"rare", HeldOutWords::rare}, {"random", HeldOutWords::random}},
          "Which are held out: some of the rarer half, like the words to be translated (rare), or any")
      .undescribed();  // the split tells
  list.add(
          "select-learning-rates", [](auto& options) -> auto& { return options.selection.learning_rates; },
          "Learning rates to select from, joined by commas")
      .above(0)
      .describe_if(selects);
  list.add(
          "select-epochs", [](auto& options) -> auto& { return options.selection.epochs; },
          "Numbers of steps to select from")
      .at_least(1)
      .describe_if(selects);
  list.add(
          "select-blends", [](auto& options) -> auto& { return options.selection.blends; },
          "Shares of the way from the start to the trained map to select from")
      .above(0)
      .at_most(1)
      .describe_if(selects);
  list.add(
          "select-words", [](auto& options) -> auto& { return options.selection.frequent_words; },
          "Most frequent words of each language that the choice without held-out words looks at")
      .at_least(1)
      .describe_if(
          [](const S& options) { return selects(options) && options.selection.mode == SelectionMode::unsupervised; });
}

}  // namespace

bool is_named_start(std::string_view init) { return init == "procrustes" || init == "vecmap" || init == "identity"; }

void check(const RcslsOptions& options) {
  make_constraint(options.constraint);
  make_neighbor_term(options.loss, options.temperature);
  require(options.max_negatives > 0, "the pool must hold one word at least (max-negatives)");
  require(options.neighbors > 0, "the number of neighbors must be 1 or more");
  require(options.l2 >= 0 && std::isfinite(options.l2), "the l2 factor must not be negative");
  require(!options.learning_rate || is_positive(*options.learning_rate), "the learning rate must be above 0");
  require(!options.epochs || *options.epochs >= 0, "the number of epochs must not be negative");
  require(options.start_map || is_named_start(options.init), "a start that is a mapping needs its map");
  require(!options.target_map || options.start_map, "a target map comes with a start map only");
  require(!options.target_map || options.target_map->rows() == options.start_map->rows(),
          "the two maps of the start lead into different dimensions");
  check(options.session);
  require(options.init != "vecmap" || options.start_map || options.selection.mode == SelectionMode::automatic ||
              options.selection.mode == SelectionMode::none,
          "from VecMap's map nothing is selected: name the learning rate and the epochs");
  const SelectionMode mode = options.selection.mode;
  require(!options.learning_rate || mode == SelectionMode::automatic || mode == SelectionMode::none,
          "a learning rate that is named cannot be selected as well");
  require(!options.selection.validation || mode == SelectionMode::validation,
          "validation pairs are for selection by validation");
  check(options.selection);
}

const OptionList<RcslsOptions>& rcsls_options() {
  static const OptionList<RcslsOptions> kList = [] {
    OptionList<RcslsOptions> list("", OptionList<RcslsOptions>::Keys::dashes);
    add_training(list);
    add_selection(list);
    return list;
  }();
  return kList;
}

std::map<std::string, std::string> describe(const RcslsOptions& options) {
  std::map<std::string, std::string> result = rcsls_options().describe(options);
  if (options.target_map) result["init-target"] = checksum_of(*options.target_map);
  if (selects(options) && options.selection.mode != SelectionMode::unsupervised && options.selection.validation)
    result["validation"] = options.selection.validation->path;
  return result;
}

}  // namespace wordbridge
