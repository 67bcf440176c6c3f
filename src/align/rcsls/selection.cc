#include "align/rcsls/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr double kDiverged = std::numeric_limits<double>::quiet_NaN();

const std::string kStartRun = "selection, start";

std::string run_name(double learning_rate) { return fmt::format("selection, learning rate {}", learning_rate); }

std::string record_name(const std::string& run, int epochs, double blend) {
  return fmt::format("{}, epochs {}, blend {}", run, epochs, blend);
}

/// The trainings of the grid.
class GridTraining {
 public:
  GridTraining(const RcslsTrainer& trainer, std::span<const Lexicon::Pair> pairs, const SelectionScore& score,
               const SelectionOptions& grid, TrainingSession& session, SharedStart* shared)
      : trainer_(trainer),
        pairs_(pairs),
        score_(score),
        grid_(grid),
        session_(session),
        shared_(shared),
        start_(trainer.start(pairs)) {}

  void score_start() {
    if (session_.is_done(kStartRun)) return;
    session_.record(kStartRun, score_.score(start_));
    session_.finish(kStartRun);
  }

  void train(double learning_rate, const TrainingSession::Observer& observer) {
    const std::string name = run_name(learning_rate);
    if (session_.is_done(name)) return;
    const int epochs = *std::max_element(grid_.epochs.begin(), grid_.epochs.end());
    if (shared_ != nullptr) shared_->remembers = is_met_later(learning_rate);
    RcslsTrainer::Run run = trainer_.run(pairs_, learning_rate, epochs, shared_);
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
  /// Whether a rate that comes after this one in the grid may meet it: where one of them, taken back and halved at the
  /// start, becomes the other.
  bool is_met_later(double learning_rate) const {
    const auto place = std::ranges::find(grid_.learning_rates, learning_rate);
    return std::any_of(place + 1, grid_.learning_rates.end(), [=](double later) {
      const double less = std::min(later, learning_rate);
      double more = std::max(later, learning_rate);
      while (more > less) more /= 2;
      return less == more;
    });
  }

  void score(const std::string& name, int epochs, const MatrixD& w) {
    for (const double blend : grid_.blends)
      session_.record(record_name(name, epochs, blend),
                      score_.score(blend_maps(start_, w, blend, trainer_.constraint())));
  }

  const RcslsTrainer& trainer_;
  std::span<const Lexicon::Pair> pairs_;
  const SelectionScore& score_;
  const SelectionOptions& grid_;
  TrainingSession& session_;
  SharedStart* shared_;
  MatrixD start_;
};

}  // namespace

MatrixD blend_maps(const MatrixD& start, const MatrixD& end, double blend, const Constraint& constraint) {
  if (blend == 1) return end;
  MatrixD w = start;
  for (std::size_t i = 0; i < w.size(); ++i) w.data()[i] += blend * (end.data()[i] - w.data()[i]);
  return constraint.project(std::move(w));
}

std::size_t best_row(std::span<const SelectionReport::Row> rows) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].score && (!rows[best].score || *rows[i].score > *rows[best].score)) best = i;
  return best;
}

SelectionReport select(const RcslsTrainer& trainer, std::span<const Lexicon::Pair> pairs, const SelectionScore& score,
                       const SelectionOptions& grid, TrainingSession& session, SharedStart* start) {
  Stage stage("selecting");
  const auto most_epochs = static_cast<std::uint64_t>(*std::max_element(grid.epochs.begin(), grid.epochs.end()));
  const std::uint64_t total = grid.learning_rates.size() * most_epochs;
  std::uint64_t before = 0;
  GridTraining training(trainer, pairs, score, grid, session, start);
  training.score_start();
  for (const double rate : grid.learning_rates) {
    training.train(rate, [&](const Iteration& iteration, const OptimizerState&) {
      stage.update(before + static_cast<std::uint64_t>(iteration.epoch), total,
                   fmt::format("learning rate {}, loss {:.4f}", rate, iteration.loss));
    });
    before += most_epochs;
  }

  if (start != nullptr) start->evaluations.clear();

  const auto recorded = [&](const std::string& name) {
    const double value = session.recorded(name).value_or(kDiverged);
    return std::isnan(value) ? std::nullopt : std::optional(value);
  };
  SelectionReport report{score.name(), {{0, 0, 0, recorded(kStartRun)}}};
  for (const double rate : grid.learning_rates)
    for (const int epochs : grid.epochs)
      for (const double blend : grid.blends)
        report.rows.push_back({rate, epochs, blend, recorded(record_name(run_name(rate), epochs, blend))});
  report.chosen = best_row(report.rows);
  report.words = score.words();
  return report;
}

}  // namespace wordbridge
