#include "align/rcsls/rcsls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "align/fit_metrics.h"
#include "align/linear/vecmap.h"
#include "align/paired_rows.h"
#include "align/rcsls/rcsls_trainer.h"
#include "align/rcsls/selection.h"
#include "align/training/training_session.h"
#include "align/unsupervised/unsupervised_criterion.h"
#include "lexicon/lexicon_reader.h"
#include "lexicon/split.h"
#include "linalg/blas.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

/// Source words, with fewer of which all words of the rarer half judge in turn.
constexpr std::size_t kWordsForSplit = 1'500;
constexpr std::size_t kFolds = 3;
const std::string kTraining = "training";

/// One solve(): the problem as training sees it.
class RcslsAlignment {
 public:
  RcslsAlignment(const AlignmentProblem& problem, const RcslsOptions& options, const RcslsAligner& aligner)
      : problem_(problem),
        options_(options),
        aligner_(aligner),
        lexicon_(options.max_pairs > 0 ? problem.lexicon.first(options.max_pairs) : problem.lexicon),
        source_(problem.source.table()),
        target_(problem.target.table()) {
    if (problem.sharded != nullptr) options_.session.communicator = &problem.sharded->communicator();
    if (options_.init == "vecmap" && !options_.start_map) start_from_vecmap();
    if (!options_.target_map) return;
    if (options_.target_map->cols() != target_.cols())
      throw UsageError(fmt::format("the start's target map takes {} dimensions, but the vectors have {}",
                                   options_.target_map->cols(), target_.cols()));
    mapped_target_ = multiply_abt(target_, *options_.target_map);
    normalize_rows(mapped_target_);
    target_ = mapped_target_;
  }

  AlignmentResult solve() {
    require_pairs(lexicon_);
    const std::optional<Lexicon> validation = given_validation();
    TrainingSession session(options_.session, fingerprint(validation));
    const RcslsTrainer trainer = indexed_trainer();
    AlignmentResult result{.source_map = {}, .target_map = options_.target_map};
    const bool near = options_.init == "vecmap";
    Settings settings{options_.learning_rate.value_or(near ? kVecmapLearningRate : kDefaultLearningRate),
                      options_.epochs.value_or(near ? kVecmapEpochs : kDefaultEpochs), 1, std::nullopt};
    std::optional<SharedStart> start;
    if (const SelectionMode mode = selection_mode(); mode != SelectionMode::none) {
      start = trainer.shared_start();
      const SelectionReport selection = select(trainer, mode, validation, session, start ? &*start : nullptr);
      settings = selection.rows[selection.chosen];
      if (settings.score) result.metrics["selection_score"] = *settings.score;
      result.report.selection = selection;
    }
    result.source_map = to_float(train(trainer, settings, session, start ? &*start : nullptr, result));
    if (!options_.target_map || near) {
      PairedRows rows = paired_rows({problem_.source, problem_.target, lexicon_});
      if (options_.target_map) rows.target = multiply_abt(rows.target, *options_.target_map);
      result.metrics.merge(fit_metrics(rows, result.source_map));
    }
    result.metrics["learning_rate"] = settings.learning_rate;
    result.metrics["epochs"] = settings.epochs;
    result.metrics["blend"] = settings.blend;
    return result;
  }

 private:
  using Settings = SelectionReport::Row;

  void start_from_vecmap() {
    AlignmentResult start = VecmapAligner().solve({problem_.source, problem_.target, lexicon_});
    options_.start_map = std::move(start.source_map);
    options_.target_map = std::move(start.target_map);
  }

  std::optional<Lexicon> given_validation() const {
    if (!options_.selection.validation) return std::nullopt;
    return find_pairs(*options_.selection.validation, problem_.source.vocabulary(), problem_.target.vocabulary());
  }

  RcslsTrainer indexed_trainer() const {
    Stage stage("indexing");
    stage.update(0, 0);
    return RcslsTrainer(source_, target_, options_, problem_.seed, problem_.sharded);
  }

  Checkpoint::Fingerprint fingerprint(const std::optional<Lexicon>& validation) const {
    if (options_.session.checkpoint.empty()) return {};
    Checkpoint::Fingerprint result = fingerprint_of(aligner_, problem_);
    if (validation) result["validation"] = checksum_of(*validation);
    return result;
  }

  SelectionMode selection_mode() const {
    if (options_.selection.mode != SelectionMode::automatic) return options_.selection.mode;
    if (options_.init == "vecmap") return SelectionMode::none;  // its start has seen all words
    return options_.learning_rate ? SelectionMode::none : SelectionMode::validation;
  }

  SelectionReport select(const RcslsTrainer& trainer, SelectionMode mode, const std::optional<Lexicon>& validation,
                         TrainingSession& session, SharedStart* start) const {
    SelectionOptions grid = options_.selection;
    if (options_.epochs) grid.epochs = {*options_.epochs};
    if (mode == SelectionMode::unsupervised) {
      const UnsupervisedCriterion score(source_, target_, grid.frequent_words, options_.neighbors);
      return wordbridge::select(trainer, lexicon_.pairs(), score, grid, session, start);
    }
    if (options_.selection.mode == SelectionMode::automatic && lexicon_.source_words().size() < kWordsForSplit) {
      std::vector<SelectionFold> folds;
      for (LexiconSplit& fold : rare_folds(lexicon_, kFolds, problem_.seed))
        folds.push_back({std::move(fold.train),
                         std::make_unique<ValidationScore>(source_, target_, fold.validation, options_.neighbors)});
      return select_by_folds(trainer, folds, short_of(grid), session, start);
    }
    const LexiconSplit split = validation ? split_off(*validation) : split_by_chance();
    const ValidationScore score(source_, target_, split.validation, options_.neighbors);
    return wordbridge::select(trainer, split.train.pairs(), score, grid, session, start);
  }

  /// A word that is validated on must not be learned from.
  LexiconSplit split_off(const Lexicon& validation) const {
    const std::vector<WordId> held_out = validation.source_words();
    std::vector<Lexicon::Pair> pairs;
    for (const Lexicon::Pair& pair : lexicon_.pairs())
      if (!std::binary_search(held_out.begin(), held_out.end(), pair.source)) pairs.push_back(pair);
    if (pairs.empty()) throw UsageError("every source word of the lexicon is among the validation words");
    return {Lexicon(std::move(pairs)), validation};
  }

  LexiconSplit split_by_chance() const {
    const SelectionOptions& selection = options_.selection;
    return selection.held_out == HeldOutWords::rare ? split_off_rare(lexicon_, selection.split, problem_.seed)
                                                    : split_lexicon(lexicon_, selection.split, problem_.seed);
  }

  /// The last training, on all pairs.
  MatrixD train(const RcslsTrainer& trainer, const Settings& settings, TrainingSession& session, SharedStart* shared,
                AlignmentResult& result) const {
    MatrixD start = trainer.start(lexicon_.pairs());
    if (settings.learning_rate == 0) {
      session.finish_all(kTraining, nullptr);
      return start;
    }
    RcslsTrainer::Run run = trainer.run(lexicon_.pairs(), settings.learning_rate, settings.epochs, shared);
    Stage stage(kTraining);
    const OptimizerState state =
        session.train(kTraining, run.optimizer(), start, [&](const Iteration& iteration, const OptimizerState&) {
          const double queries = static_cast<double>(iteration.searched + iteration.saved_scans);
          stage.update(static_cast<std::uint64_t>(iteration.epoch), static_cast<std::uint64_t>(settings.epochs),
                       fmt::format("loss {:.4f}, step {:g}{}, {:.0f}% pruned", iteration.loss, iteration.step,
                                   iteration.outcome == StepOutcome::rolled_back ? " taken back" : "",
                                   100 * static_cast<double>(iteration.saved_scans) / queries));
        });
    session.finish_all(kTraining, &state);
    // Without times and counts of searches: the same run gives the same mapping, bit for bit.
    std::vector<TrainingStep>& steps = result.report.iterations.emplace();
    for (const Iteration& one : session.iterations(kTraining))
      steps.push_back({one.epoch, one.loss, one.step, std::string(name_of(one.outcome)), one.norm});
    if (state.diverged)
      result.report.warnings.push_back(divergence(steps.back()));
    else
      result.metrics["loss"] = state.loss;
    return blend_maps(start, state.w, settings.blend, trainer.constraint());
  }

  static std::string divergence(const TrainingStep& last) {
    return fmt::format(
        "training diverged at step {} (learning rate {:g}, norm of W {:.3g}): the best map before it was kept; a "
        "smaller learning rate, the spectral constraint or a little l2 may help",
        last.epoch, last.step, std::isfinite(last.norm) ? last.norm : std::numeric_limits<double>::quiet_NaN());
  }

  const AlignmentProblem& problem_;
  RcslsOptions options_;  // with the maps of the start
  const RcslsAligner& aligner_;
  Lexicon lexicon_;
  ConstMatrixView source_, target_;
  Matrix mapped_target_;  // where the start moves the targets too
};

}  // namespace

RcslsAligner::RcslsAligner(RcslsOptions options) : options_(std::move(options)) { check(options_); }

AlignmentResult RcslsAligner::solve(const AlignmentProblem& problem) const {
  return RcslsAlignment(problem, options_, *this).solve();
}

}  // namespace wordbridge
