#include "align/rcsls/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "align/choice/paired_outcomes.h"
#include "base/random.h"
#include "base/wording.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr double kDiverged = std::numeric_limits<double>::quiet_NaN();

std::string record_name(const std::string& run, int epochs, double blend) {
  return fmt::format("{}, epochs {}, blend {}", run, epochs, blend);
}

/// Records how good a map is, under a name.
using Judge = std::function<void(const std::string& record, const MatrixD& w)>;

/// The trainings of the grid on some pairs.
class GridTraining {
 public:
  /// `name`: of this selection; the names of its trainings begin with it.
  GridTraining(std::string name, const RcslsTrainer& trainer, std::span<const Lexicon::Pair> pairs,
               const SelectionOptions& grid, TrainingSession& session, SharedStart* shared, Judge judge)
      : name_(std::move(name)),
        trainer_(trainer),
        pairs_(pairs),
        grid_(grid),
        session_(session),
        shared_(shared),
        judge_(std::move(judge)),
        start_(trainer.start(pairs)) {}

  std::string start_name() const { return name_ + ", start"; }
  std::string record_of(double learning_rate, int epochs, double blend) const {
    return record_name(run_name(learning_rate), epochs, blend);
  }
  const MatrixD& start() const { return start_; }

  void train_all(Stage& stage, std::uint64_t done, std::uint64_t total) {
    if (!session_.is_done(start_name())) {
      judge_(start_name(), start_);
      session_.finish(start_name());
    }
    for (const double rate : grid_.learning_rates) {
      train(rate, [&](const Iteration& iteration, const OptimizerState&) {
        stage.update(done + static_cast<std::uint64_t>(iteration.epoch), total,
                     fmt::format("learning rate {}, loss {:.4f}", rate, iteration.loss));
      });
      done += static_cast<std::uint64_t>(most_epochs());
    }
  }

 private:
  std::string run_name(double learning_rate) const { return fmt::format("{}, learning rate {}", name_, learning_rate); }
  int most_epochs() const { return *std::max_element(grid_.epochs.begin(), grid_.epochs.end()); }

  void train(double learning_rate, const TrainingSession::Observer& observer) {
    const std::string name = run_name(learning_rate);
    if (session_.is_done(name)) return;
    if (shared_ != nullptr) shared_->remembers = is_met_later(learning_rate);
    RcslsTrainer::Run run = trainer_.run(pairs_, learning_rate, most_epochs(), shared_);
    const OptimizerState last =
        session_.train(name, run.optimizer(), start_, [&](const Iteration& iteration, const OptimizerState& state) {
          if (observer) observer(iteration, state);
          if (std::count(grid_.epochs.begin(), grid_.epochs.end(), iteration.epoch) > 0 && !state.diverged)
            judge_blends(name, iteration.epoch, state.w);
        });
    // A training that ended early stands for the longer ones too; one that diverged has no score for them.
    for (const int wanted : grid_.epochs)
      if (!session_.recorded(record_name(name, wanted, grid_.blends.front()))) {
        if (last.diverged)
          for (const double blend : grid_.blends) session_.record(record_name(name, wanted, blend), kDiverged);
        else
          judge_blends(name, wanted, last.w);
      }
    session_.finish(name);
  }

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

  void judge_blends(const std::string& name, int epochs, const MatrixD& w) {
    for (const double blend : grid_.blends)
      judge_(record_name(name, epochs, blend), blend_maps(start_, w, blend, trainer_.constraint()));
  }

  std::string name_;
  const RcslsTrainer& trainer_;
  std::span<const Lexicon::Pair> pairs_;
  const SelectionOptions& grid_;
  TrainingSession& session_;
  SharedStart* shared_;
  Judge judge_;
  MatrixD start_;
};

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::uint64_t steps_of(const SelectionOptions& grid) {
  return grid.learning_rates.size() *
         static_cast<std::uint64_t>(*std::max_element(grid.epochs.begin(), grid.epochs.end()));
}

/// The rows of the grid, the start first.
SelectionReport rows_of(const SelectionOptions& grid) {
  SelectionReport report;
  report.rows.push_back({0, 0, 0, std::nullopt});
  for (const double rate : grid.learning_rates)
    for (const int epochs : grid.epochs)
      for (const double blend : grid.blends) report.rows.push_back({rate, epochs, blend, std::nullopt});
  return report;
}

/// What the words of a fold say of each map of the grid, beside the start of the same fold.
class FoldJudge {
 public:
  FoldJudge(const ValidationScore& score, TrainingSession& session) : score_(score), session_(session) {}

  void operator()(const std::string& record, const MatrixD& w, const MatrixD& start) {
    if (start_.empty()) start_ = score_.outcome(start);
    const std::vector<std::uint8_t> outcome = score_.outcome(w);
    const PairedOutcomes paired = PairedOutcomes::of(start_, outcome);
    session_.record(record, static_cast<double>(std::ranges::count(outcome, 1)));
    session_.record(record + ", gained", static_cast<double>(paired.gained));
    session_.record(record + ", lost", static_cast<double>(paired.lost));
  }

 private:
  const ValidationScore& score_;
  TrainingSession& session_;
  std::vector<std::uint8_t> start_;
};

/// Over all folds.
struct RowOutcome {
  double right = 0, gained = 0, lost = 0;

  void add(const std::string& record, const TrainingSession& session) {
    right += session.recorded(record).value_or(kDiverged);  // NaN stays
    gained += session.recorded(record + ", gained").value_or(0);
    lost += session.recorded(record + ", lost").value_or(0);
  }
  bool is_better_than_start() const { return gained - lost > std::sqrt(gained + lost); }
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
  GridTraining training("selection", trainer, pairs, grid, session, start,
                        [&](const std::string& record, const MatrixD& w) { session.record(record, score.score(w)); });
  training.train_all(stage, 0, steps_of(grid));
  if (start != nullptr) start->evaluations.clear();
  SelectionReport report = rows_of(grid);
  for (SelectionReport::Row& row : report.rows)
    row.score = finite(session.recorded(
        row.learning_rate == 0 ? training.start_name() : training.record_of(row.learning_rate, row.epochs, row.blend)));
  report.score = score.name();
  report.chosen = best_row(report.rows);
  report.words = score.words();
  return report;
}

SelectionReport select_by_folds(const RcslsTrainer& trainer, std::span<const SelectionFold> folds,
                                const SelectionOptions& grid, TrainingSession& session, SharedStart* start) {
  Stage stage("selecting");
  SelectionReport report = rows_of(grid);
  std::vector<RowOutcome> outcomes(report.rows.size());
  for (std::size_t i = 0; i < folds.size(); ++i) {
    FoldJudge judge(*folds[i].score, session);
    const MatrixD* from = nullptr;
    GridTraining training(fmt::format("selection, fold {}", i + 1), trainer, folds[i].train.pairs(), grid, session,
                          start, [&](const std::string& record, const MatrixD& w) { judge(record, w, *from); });
    from = &training.start();
    training.train_all(stage, i * steps_of(grid), folds.size() * steps_of(grid));
    if (start != nullptr) start->evaluations.clear();
    for (std::size_t r = 0; r < report.rows.size(); ++r) {
      const SelectionReport::Row& row = report.rows[r];
      outcomes[r].add(r == 0 ? training.start_name() : training.record_of(row.learning_rate, row.epochs, row.blend),
                      session);
    }
    report.words += folds[i].score->words();
  }
  report.score = fmt::format("P@1 by CSLS of {}, held out in {} folds",
                             counted(report.words, "word of the lexicon", "words of the lexicon"), folds.size());
  for (std::size_t r = 0; r < report.rows.size(); ++r)
    report.rows[r].score = finite(100 * outcomes[r].right / static_cast<double>(report.words));
  for (std::size_t r = 1; r < report.rows.size(); ++r)
    if (report.rows[r].score && outcomes[r].is_better_than_start() &&
        *report.rows[r].score > report.rows[report.chosen].score.value_or(0))
      report.chosen = r;
  return report;
}

SelectionOptions short_of(SelectionOptions grid) {
  constexpr double kLargestRate = 25, kLargestBlend = 0.25, kSmallestBlend = 0.1;
  const auto limit = [](std::vector<double>& values, double largest) {
    const double smallest = *std::ranges::min_element(values);
    std::erase_if(values, [&](double value) { return value > std::max(largest, smallest); });
  };
  limit(grid.learning_rates, kLargestRate);
  limit(grid.blends, kLargestBlend);
  if (std::ranges::min(grid.blends) > kSmallestBlend && std::ranges::max(grid.blends) <= kLargestBlend)
    grid.blends.insert(grid.blends.begin(), kSmallestBlend);
  grid.epochs = {std::ranges::min(grid.epochs)};
  return grid;
}

std::vector<LexiconSplit> rare_folds(const Lexicon& lexicon, std::size_t folds, std::uint64_t seed) {
  std::vector<WordId> words = lexicon.source_words();
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2));
  Random(seed).shuffle(words);
  std::vector<LexiconSplit> result;
  for (std::size_t i = 0; i < std::min(folds, words.size()); ++i) {
    std::vector<WordId> own;
    for (std::size_t j = i; j < words.size(); j += folds) own.push_back(words[j]);
    std::ranges::sort(own);
    std::vector<Lexicon::Pair> train, held_out;
    for (const Lexicon::Pair& pair : lexicon.pairs())
      (std::ranges::binary_search(own, pair.source) ? held_out : train).push_back(pair);
    if (!train.empty()) result.push_back({Lexicon(std::move(train)), Lexicon(std::move(held_out))});
  }
  return result;
}

}  // namespace wordbridge
