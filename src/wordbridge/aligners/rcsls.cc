#include "wordbridge/aligners/rcsls.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "wordbridge/aligners/fit_metrics.h"
#include "wordbridge/aligners/paired_rows.h"
#include "wordbridge/aligners/rcsls_trainer.h"
#include "wordbridge/aligners/selection.h"
#include "wordbridge/aligners/training_session.h"
#include "wordbridge/base/checksum.h"
#include "wordbridge/base/error.h"
#include "wordbridge/lexicon/lexicon_reader.h"
#include "wordbridge/lexicon/split.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/parallel/context.h"
#include "wordbridge/vectors/normalizer.h"

namespace wordbridge {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWordsForSelection = 1'000;  // source words that a lexicon must have to give some away
const std::string kTraining = "training";

std::string checksum_of(const Lexicon& lexicon) {
  return fmt::format("{} pairs, {:016x}", lexicon.size(), xxh3(lexicon.pairs().data(), lexicon.pairs().size_bytes()));
}

/// One solve(): the problem as training sees it.
class RcslsAlignment {
 public:
  RcslsAlignment(const AlignmentProblem& problem, const RcslsOptions& options)
      : problem_(problem),
        options_(options),
        lexicon_(options.max_pairs > 0 ? problem.lexicon.first(options.max_pairs) : problem.lexicon),
        source_(problem.source.table()),
        target_(problem.target.table()) {
    if (!options.target_map) return;
    if (options.target_map->cols() != target_.cols())
      throw UsageError(fmt::format("the start's target map takes {} dimensions, but the vectors have {}",
                                   options.target_map->cols(), target_.cols()));
    mapped_target_ = multiply_abt(target_, *options.target_map);
    normalize_rows(mapped_target_);
    target_ = mapped_target_;
  }

  AlignmentResult solve() {
    const PairedRows rows = paired_rows({problem_.source, problem_.target, lexicon_});  // refuses an empty lexicon
    const std::optional<Lexicon> validation = given_validation();
    TrainingSession session({options_.log, options_.checkpoint, options_.resume, fingerprint(validation)});
    const RcslsTrainer trainer = indexed_trainer();
    Json details = {{"warnings", Json::array()}};
    RcslsSettings settings{options_.learning_rate.value_or(kDefaultLearningRate),
                           options_.epochs.value_or(kDefaultEpochs), 1};
    std::map<std::string, double> metrics;
    if (const SelectionMode mode = selection_mode(); mode != SelectionMode::none) {
      const Selection selection = select(trainer, mode, validation, session);
      details["selection"] = to_json(selection);
      settings = selection.settings();
      if (const auto score = selection.rows[selection.chosen].score) metrics["selection_score"] = *score;
    }
    const Matrix w = to_float(train(trainer, settings, session, details, metrics));
    if (!options_.target_map) metrics.merge(fit_metrics(rows, w));
    metrics["learning_rate"] = settings.learning_rate;
    metrics["epochs"] = settings.epochs;
    metrics["blend"] = settings.blend;
    return {.source_map = w, .target_map = options_.target_map, .metrics = metrics, .details = details.dump()};
  }

 private:
  std::optional<Lexicon> given_validation() const {
    if (!options_.selection.validation) return std::nullopt;
    return find_pairs(*options_.selection.validation, problem_.source.vocabulary(), problem_.target.vocabulary());
  }

  RcslsTrainer indexed_trainer() const {
    Stage stage("indexing");
    stage.update(0, 0);
    return RcslsTrainer(source_, target_, options_);
  }

  Checkpoint::Fingerprint fingerprint(const std::optional<Lexicon>& validation) const {
    if (options_.checkpoint.empty()) return {};
    Checkpoint::Fingerprint result = describe(options_);
    result["seed"] = std::to_string(options_.seed);
    result["source vectors"] = checksum_of(source_);
    result["target vectors"] = checksum_of(target_);
    result["lexicon"] = checksum_of(lexicon_);
    if (validation) result["validation"] = checksum_of(*validation);
    return result;
  }

  SelectionMode selection_mode() const {
    if (options_.selection.mode != SelectionMode::automatic) return options_.selection.mode;
    const bool enough = lexicon_.source_words().size() >= kWordsForSelection;
    return enough && !options_.learning_rate ? SelectionMode::validation : SelectionMode::none;
  }

  std::vector<SelectionFold> folds(SelectionMode mode, const std::optional<Lexicon>& validation) const {
    std::vector<SelectionFold> result(1);
    if (mode == SelectionMode::unsupervised) {
      result[0].pairs.assign(lexicon_.pairs().begin(), lexicon_.pairs().end());
      result[0].score =
          std::make_unique<MutualScore>(source_, target_, options_.selection.frequent_words, options_.neighbors);
    } else if (validation) {
      // A word that is validated on must not be learned from.
      const std::vector<WordId> held_out = validation->source_words();
      for (const Lexicon::Pair& pair : lexicon_.pairs())
        if (!std::binary_search(held_out.begin(), held_out.end(), pair.source)) result[0].pairs.push_back(pair);
      if (result[0].pairs.empty()) throw UsageError("every source word of the lexicon is among the validation words");
      result[0].score = std::make_unique<ValidationScore>(source_, target_, *validation, options_.neighbors);
    } else {
      const SelectionOptions& selection = options_.selection;
      const LexiconSplit split = selection.held_out == HeldOutWords::rare
                                     ? split_off_rare(lexicon_, selection.split, options_.seed)
                                     : split_lexicon(lexicon_, selection.split, options_.seed);
      result[0].pairs.assign(split.train.pairs().begin(), split.train.pairs().end());
      result[0].score = std::make_unique<ValidationScore>(source_, target_, split.validation, options_.neighbors);
    }
    return result;
  }

  Selection select(const RcslsTrainer& trainer, SelectionMode mode, const std::optional<Lexicon>& validation,
                   TrainingSession& session) const {
    SelectionOptions grid = options_.selection;
    if (options_.epochs) grid.epochs = {*options_.epochs};
    const std::vector<SelectionFold> parts = folds(mode, validation);
    return wordbridge::select(trainer, parts, grid, session);
  }

  /// The last training, on all pairs.
  MatrixD train(const RcslsTrainer& trainer, const RcslsSettings& settings, TrainingSession& session, Json& details,
                std::map<std::string, double>& metrics) const {
    const std::span<const Lexicon::Pair> pairs = lexicon_.pairs();
    const MatrixD start = trainer.start(pairs);
    if (settings.learning_rate == 0) {
      session.finish_all(kTraining, nullptr);
      return start;
    }
    RcslsTrainer::Run run = trainer.run(pairs, settings.learning_rate, settings.epochs);
    Stage stage(kTraining);
    const OptimizerState state =
        session.train(kTraining, run.optimizer(), start, [&](const Iteration& iteration, const OptimizerState&) {
          const double queries = static_cast<double>(iteration.searched + iteration.certified);
          stage.update(static_cast<std::uint64_t>(iteration.epoch), static_cast<std::uint64_t>(settings.epochs),
                       fmt::format("loss {:.4f}, step {:g}{}, {:.0f}% certified", iteration.loss, iteration.step,
                                   iteration.outcome == StepOutcome::rolled_back ? " taken back" : "",
                                   100 * static_cast<double>(iteration.certified) / queries));
        });
    session.finish_all(kTraining, &state);
    Json iterations = Json::array();
    for (const std::string& line : session.log().lines()) {
      Json iteration = Json::parse(line);
      if (iteration.value("run", "") != kTraining) continue;
      iteration.erase("run");
      iteration.erase("seconds");  // the same run gives the same mapping, bit for bit
      iteration.erase("searched");
      iteration.erase("certified");
      iterations.push_back(std::move(iteration));
    }
    if (state.diverged)
      details["warnings"].push_back(divergence(iterations.back()));
    else
      metrics["loss"] = state.loss;
    details["iterations"] = std::move(iterations);
    return blend_maps(start, state.w, settings.blend, trainer.constraint());
  }

  static std::string divergence(const Json& last) {
    return fmt::format(
        "training diverged at step {} (learning rate {:g}, norm of W {:.3g}): the best map before it was kept; a "
        "smaller learning rate, the spectral constraint or a little l2 may help",
        last.at("epoch").get<int>(), last.at("step").get<double>(),
        last.at("norm").is_number() ? last.at("norm").get<double>() : std::numeric_limits<double>::quiet_NaN());
  }

  static Json to_json(const Selection& selection) {
    Json rows = Json::array();
    for (const SelectionRow& row : selection.rows) {
      Json entry = {{"learning_rate", row.settings.learning_rate},
                    {"epochs", row.settings.epochs},
                    {"blend", row.settings.blend}};
      entry["score"] = row.score ? Json(*row.score) : Json(nullptr);
      rows.push_back(std::move(entry));
    }
    return {{"score", selection.score_name}, {"rows", std::move(rows)}, {"chosen", selection.chosen}};
  }

  const AlignmentProblem& problem_;
  const RcslsOptions& options_;
  Lexicon lexicon_;
  ConstMatrixView source_, target_;
  Matrix mapped_target_;  // where the start moves the targets too
};

}  // namespace

RcslsAligner::RcslsAligner(RcslsOptions options) : options_(std::move(options)) { check(options_); }

AlignmentResult RcslsAligner::solve(const AlignmentProblem& problem) const {
  return RcslsAlignment(problem, options_).solve();
}

}  // namespace wordbridge
