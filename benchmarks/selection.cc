// The choice of RCSLS's settings: trainings that share their start and a score that begins where the last map left it,
// against trainings by themselves and a common space of its own for each map.
#include <algorithm>
#include <string>
#include <vector>

#include "align/rcsls/selection.h"
#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "linalg/blas.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

/// The slow twin of ValidationScore.
class SpaceOfItsOwn final : public SelectionScore {
 public:
  SpaceOfItsOwn(ConstMatrixView source, ConstMatrixView target, const Lexicon& validation, std::size_t k)
      : source_(source), target_(UnitRows::of(target)), words_(validation), k_(k) {}
  std::string name() const override { return "base"; }
  double score(ConstMatrixViewD w) const override {
    const CommonSpace space(UnitRows::normalized(multiply_abt(source_, to_float(w))), target_);
    const std::vector<std::uint8_t> right = words_.translated_right(space, k_);
    return 100.0 * static_cast<double>(std::ranges::count(right, 1)) / static_cast<double>(words_.size());
  }

 private:
  ConstMatrixView source_;
  UnitRows target_;
  HeldOutTranslations words_;
  std::size_t k_;
};

/// Every tenth source word is held out.
std::pair<Lexicon, Lexicon> split(const SearchTables& tables) {
  std::vector<Lexicon::Pair> train, held_out;
  for (const Lexicon::Pair& pair : tables.pairs) (pair.source % 10 == 0 ? held_out : train).push_back(pair);
  return {Lexicon(std::move(train)), Lexicon(std::move(held_out))};
}

}  // namespace

int main(int argc, char** argv) {
  Report report("selection", "the choice of RCSLS's learning rate, epochs and blend on held-out words", argc, argv);
  const SearchTableOptions options(report, 50'000);
  const std::size_t rounds = report.option("rounds", 1, "runs of which the fastest counts");
  const std::size_t epochs = report.option("epochs", 6, "steps of each training");
  report.check_options();
  const SearchTables tables = search_tables(options, report, 5000);
  const auto [train, held_out] = split(tables);
  const RcslsOptions settings;
  const RcslsTrainer trainer(tables.source, tables.target, settings, 1);
  SelectionOptions grid;
  grid.epochs = {std::max(1, static_cast<int>(epochs) / 2), std::max(2, static_cast<int>(epochs))};

  std::vector<MatrixD> maps;  // of the grid's first rates, for the scores alone
  for (const double rate : {1.0, 25.0}) {
    RcslsTrainer::Run training = trainer.run(train.pairs(), rate, 3);
    run(training.optimizer(), training.optimizer().start(trainer.start(train.pairs())),
        [&](const Iteration&, const OptimizerState& state) { maps.push_back(state.w); });
  }
  std::vector<double> base_scores, scores;
  const auto score_all = [&](const SelectionScore& score, std::vector<double>& result) {
    result.clear();
    for (const MatrixD& w : maps) result.push_back(score.score(w));
  };
  const auto score_times = best_times(
      {[&] { score_all(SpaceOfItsOwn(tables.source, tables.target, held_out, settings.neighbors), base_scores); },
       [&] { score_all(ValidationScore(tables.source, tables.target, held_out, settings.neighbors), scores); }},
      rounds);
  if (base_scores != scores) report.say("DIFFERENT scores");
  report.add(less_is_better(std::to_string(maps.size()) + " scores vs a space of its own for each", score_times[0],
                            score_times[1], "s"));

  SelectionReport base, ours;
  const auto times = best_times(
      {[&] {
         TrainingSession session({}, Checkpoint::Fingerprint{});
         base = select(trainer, train.pairs(),
                       SpaceOfItsOwn(tables.source, tables.target, held_out, settings.neighbors), grid, session);
       },
       [&] {
         TrainingSession session({}, Checkpoint::Fingerprint{});
         std::optional<SharedStart> start = trainer.shared_start();
         ours =
             select(trainer, train.pairs(), ValidationScore(tables.source, tables.target, held_out, settings.neighbors),
                    grid, session, start ? &*start : nullptr);
       }},
      rounds);
  for (std::size_t i = 0; i < base.rows.size(); ++i)
    if (base.rows[i].score != ours.rows[i].score) report.say("DIFFERENT score of row " + std::to_string(i));
  report.add(less_is_better("whole selection vs nothing shared", times[0], times[1], "s", 6));
  return report.finish();
}
