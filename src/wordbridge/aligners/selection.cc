#include "wordbridge/aligners/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include "wordbridge/parallel/context.h"

namespace wordbridge {

namespace {

constexpr double kDiverged = std::numeric_limits<double>::quiet_NaN();

std::string run_name(std::size_t fold, std::size_t folds, double learning_rate) {
  const std::string prefix = folds > 1 ? fmt::format("selection, fold {}", fold + 1) : std::string("selection");
  return learning_rate > 0 ? fmt::format("{}, learning rate {}", prefix, learning_rate) : prefix + ", start";
}

std::string record_name(const std::string& run, int epochs, double blend) {
  return fmt::format("{}, epochs {}, blend {}", run, epochs, blend);
}

/// The trainings of one fold.
class FoldSelection {
 public:
  FoldSelection(const RcslsTrainer& trainer, const SelectionFold& fold, const SelectionOptions& grid,
                TrainingSession& session)
      : trainer_(trainer), fold_(fold), grid_(grid), session_(session), start_(trainer.start(fold.pairs)) {}

  void score_start(const std::string& run) {
    if (session_.is_done(run)) return;
    session_.record(run, fold_.score->score(start_));
    session_.finish(run);
  }

  void train(const std::string& name, double learning_rate, const TrainingSession::Observer& observer) {
    if (session_.is_done(name)) return;
    const int epochs = *std::max_element(grid_.epochs.begin(), grid_.epochs.end());
    RcslsTrainer::Run run = trainer_.run(fold_.pairs, learning_rate, epochs);
    const OptimizerState last =
        session_.train(name, run.optimizer(), start_, [&](const Iteration& iteration, const OptimizerState& state) {
          if (observer) observer(iteration, state);
          if (std::count(grid_.epochs.begin(), grid_.epochs.end(), iteration.epoch) > 0 && !state.diverged)
            score(name, iteration.epoch, state.w);
        });
    // A training that ended early stands for the longer ones too; one that diverged has no score for them.
    for (const int wanted : grid_.epochs)
      if (!session_.recorded(record_name(name, wanted, grid_.blends.front()))) {
        if (last.diverged)
          for (const double blend : grid_.blends) session_.record(record_name(name, wanted, blend), kDiverged);
        else
          score(name, wanted, last.w);
      }
    session_.finish(name);
  }

 private:
  void score(const std::string& name, int epochs, const MatrixD& w) {
    for (const double blend : grid_.blends)
      session_.record(record_name(name, epochs, blend),
                      fold_.score->score(blend_maps(start_, w, blend, trainer_.constraint())));
  }

  const RcslsTrainer& trainer_;
  const SelectionFold& fold_;
  const SelectionOptions& grid_;
  TrainingSession& session_;
  MatrixD start_;
};

}  // namespace

MatrixD blend_maps(const MatrixD& start, const MatrixD& end, double blend, const Constraint& constraint) {
  if (blend == 1) return end;
  MatrixD w = start;
  for (std::size_t i = 0; i < w.size(); ++i) w.data()[i] += blend * (end.data()[i] - w.data()[i]);
  return constraint.project(std::move(w));
}

std::size_t best_row(std::span<const SelectionRow> rows) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].score && (!rows[best].score || *rows[i].score > *rows[best].score)) best = i;
  return best;
}

Selection select(const RcslsTrainer& trainer, std::span<const SelectionFold> folds, const SelectionOptions& grid,
                 TrainingSession& session) {
  Stage stage("selecting");
  const auto most_epochs = static_cast<std::uint64_t>(*std::max_element(grid.epochs.begin(), grid.epochs.end()));
  const std::uint64_t total = folds.size() * grid.learning_rates.size() * most_epochs;
  std::uint64_t before = 0;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    FoldSelection fold(trainer, folds[f], grid, session);
    fold.score_start(run_name(f, folds.size(), 0));
    for (const double rate : grid.learning_rates) {
      fold.train(run_name(f, folds.size(), rate), rate, [&](const Iteration& iteration, const OptimizerState&) {
        stage.update(before + static_cast<std::uint64_t>(iteration.epoch), total,
                     fmt::format("learning rate {}, loss {:.4f}", rate, iteration.loss));
      });
      before += most_epochs;
    }
  }

  Selection selection;
  selection.score_name = folds.front().score->name();
  const auto add = [&](const RcslsSettings& settings) {
    double sum = 0;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const std::string run = run_name(f, folds.size(), settings.learning_rate);
      const auto record = settings.learning_rate > 0 ? record_name(run, settings.epochs, settings.blend) : run;
      sum += session.recorded(record).value_or(kDiverged);
    }
    const double mean = sum / static_cast<double>(folds.size());
    selection.rows.push_back({settings, std::isnan(mean) ? std::nullopt : std::optional(mean)});
  };
  add({});
  for (const double rate : grid.learning_rates)
    for (const int epochs : grid.epochs)
      for (const double blend : grid.blends) add({rate, epochs, blend});
  selection.chosen = best_row(selection.rows);
  return selection;
}

}  // namespace wordbridge
