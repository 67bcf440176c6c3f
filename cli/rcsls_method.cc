#include "cli/rcsls_method.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "cli/arguments.h"
#include "wordbridge/aligners/rcsls.h"
#include "wordbridge/base/error.h"
#include "wordbridge/mapping/mapping_format.h"

namespace wordbridge::cli {

namespace {

/// "1,2.5" as numbers.
std::vector<double> parse_list(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (const char *at = text.data(), *end = at + text.size();;) {
    double number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc() || !(number > 0) || !std::isfinite(number) || (stop != end && *stop != ','))
      throw UsageError(fmt::format("{} takes numbers above 0 joined by commas, not '{}'", option, text));
    numbers.push_back(number);
    if (stop == end) return numbers;
    at = stop + 1;
  }
}

class RcslsMethod final : public AlignMethod {
 public:
  void declare(Arguments& arguments) override {
    arguments.number("--learning-rate", learning_rate_,
                     "Length of the first steps (default: selected on held-out words, or 25)");
    arguments.number("--epochs", epochs_, 0, Arguments::kMost, "Steps (default: selected on held-out words, or 10)");
    arguments.choice("--constraint", options_.constraint, {"none", "spectral", "orthogonal"},
                     "What W must be: any matrix (none, the default), of spectral norm at most 1, or orthogonal");
    arguments.choice(
        "--pool", pool_, {"extended", "train"},
        "Words among which neighbors are looked for: of the whole vocabularies (default), or of the lexicon");
    arguments.number("--max-negatives", max_negatives_, 1, Arguments::kMost,
                     "Most frequent words of each language in the extended pool (default: 200000)");
    arguments.number("--neighbors", neighbors_, 1, Arguments::kMost, "k, the neighbors in the loss (default: 10)");
    arguments.choice("--loss", options_.loss, {"mean", "logsumexp"},
                     "What is taken of the neighbors' scores (default: mean)");
    arguments.number("--temperature", options_.temperature, "Temperature of logsumexp (default: 1)");
    arguments.number("--l2", options_.l2, "Weight decay (default: 0)");
    arguments.number("--batch", batch_, 0, Arguments::kMost, "Pairs a step, drawn anew each time (default: all)");
    arguments.number("--max-pairs", max_pairs_, 0, Arguments::kMost, "Use the first so many pairs (default: all)");
    arguments.choice("--schedule", schedule_, {"monotone", "reference"},
                     "What happens when the loss rises: the step is taken back and halved (default), or what the "
                     "published script does");
    arguments.text("--init", init_, "START",
                   "procrustes (default), identity, or a mapping (.wbmap) of any method to start from, whose "
                   "normalization and target side are kept");
    arguments.choice("--select", select_, {"automatic", "none", "validation", "unsupervised"},
                     "How settings are chosen: on held-out words where no learning rate is named and the lexicon has "
                     "1000 source words (automatic, the default), not at all, on held-out words, or by how well the "
                     "frequent words of both languages find each other");
    arguments.number("--validation-split", options_.selection.split,
                     "Share of the lexicon's source words held out (default: 0.1)");
    arguments.choice(
        "--validation-words", held_out_, {"rare", "random"},
        "Which are held out: some of the rarer half, like the words to be translated (rare, the default), or any");
    arguments.text("--select-learning-rates", learning_rates_, "LIST",
                   "Learning rates to select from, joined by commas (default: 1,10,25,50)");
    arguments.text("--select-epochs", epoch_counts_, "LIST", "Numbers of steps to select from (default: 10,20)");
    arguments.text("--select-blends", blends_, "LIST",
                   "Shares of the way from the start to the trained map to select from (default: 0.25,0.5,1)");
  }

  std::unique_ptr<Aligner> make(std::string_view, const MethodContext& context) override {
    RcslsOptions options = options_;
    if (learning_rate_ < 0) throw UsageError("--learning-rate must be above 0");
    if (learning_rate_ > 0) options.learning_rate = learning_rate_;
    if (epochs_ > 0) options.epochs = static_cast<int>(epochs_);
    options.pool = pool_ == "train" ? NeighborPool::train : NeighborPool::extended;
    options.max_negatives = max_negatives_;
    options.neighbors = neighbors_;
    options.batch = batch_;
    options.max_pairs = max_pairs_;
    options.schedule = schedule_ == "reference" ? Schedule::reference : Schedule::monotone;
    options.selection.mode = select_ == "none"           ? SelectionMode::none
                             : select_ == "validation"   ? SelectionMode::validation
                             : select_ == "unsupervised" ? SelectionMode::unsupervised
                                                         : SelectionMode::automatic;
    if (!context.training.validation.empty()) {
      options.selection.validation = read_word_pairs(context.training.validation);
      if (options.selection.mode == SelectionMode::automatic) options.selection.mode = SelectionMode::validation;
    }
    if (!learning_rates_.empty())
      options.selection.learning_rates = parse_list("--select-learning-rates", learning_rates_);
    if (!blends_.empty()) options.selection.blends = parse_list("--select-blends", blends_);
    if (!epoch_counts_.empty()) {
      options.selection.epochs.clear();
      for (const double epochs : parse_list("--select-epochs", epoch_counts_)) {
        if (epochs != std::floor(epochs) || epochs > static_cast<double>(Arguments::kMost))
          throw UsageError("--select-epochs takes whole numbers");
        options.selection.epochs.push_back(static_cast<int>(epochs));
      }
    }
    options.selection.held_out = held_out_ == "random" ? HeldOutWords::random : HeldOutWords::rare;
    options.session = {context.training.log, context.training.checkpoint, context.training.resume};
    start_from(options);
    return std::make_unique<RcslsAligner>(std::move(options));
  }

  std::vector<std::string> inputs() const override { return {init_}; }
  const Mapping* start() const override { return start_ ? &*start_ : nullptr; }

 private:
  void start_from(RcslsOptions& options) {
    if (init_ == "procrustes") return;
    if (init_ == "identity") {
      options.start = RcslsStart::identity;
      return;
    }
    start_ = read_mapping(init_);
    options.start = RcslsStart::given;
    options.start_map = start_->source_map();
    options.target_map = start_->target_map();
  }

  RcslsOptions options_;
  std::optional<Mapping> start_;
  double learning_rate_ = 0;  // 0: not given
  std::uint64_t epochs_ = 0;  // 0: not given
  std::uint64_t max_negatives_ = 200'000, neighbors_ = 10, batch_ = 0, max_pairs_ = 0;
  std::string pool_ = "extended", schedule_ = "monotone", select_ = "automatic", init_ = "procrustes",
              held_out_ = "rare";
  std::string learning_rates_, epoch_counts_, blends_;  // lists; empty: not given
};

}  // namespace

std::unique_ptr<AlignMethod> make_rcsls_method() { return std::make_unique<RcslsMethod>(); }

}  // namespace wordbridge::cli
