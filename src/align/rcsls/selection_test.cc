#include "align/rcsls/selection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "align/aligner_test_support.h"
#include "optimize/constraint.h"

namespace wordbridge::selection_test {
namespace {

TEST(Selection, TakesTheBestRowAndOfEqualOnesTheFirst) {
  using Rows = std::vector<SelectionReport::Row>;
  const Rows rows = {{0, 0, 0, 50.0}, {1, 10, 1, std::nullopt}, {10, 10, 1, 60.0}, {25, 10, 1, 60.0}};
  EXPECT_EQ(best_row(rows), 2u);
  EXPECT_EQ(best_row(Rows{{0, 0, 0, std::nullopt}, {1, 10, 1, std::nullopt}}), 0u);
  EXPECT_EQ(best_row(Rows{{0, 0, 0, 5.0}, {1, 10, 1, 5.0}}), 0u);
}

TEST(Selection, BlendsBetweenStartAndEnd) {
  const auto free = make_constraint("none");
  MatrixD start(1, 2), end(1, 2);
  start(0, 0) = 1, start(0, 1) = 2, end(0, 0) = 3, end(0, 1) = -2;
  EXPECT_EQ(blend_maps(start, end, 0, *free), start);
  EXPECT_EQ(blend_maps(start, end, 1, *free), end);
  const MatrixD half = blend_maps(start, end, 0.5, *free);
  EXPECT_EQ(half(0, 0), 2);
  EXPECT_EQ(half(0, 1), 0);
}

TEST(Selection, ABlendStaysInTheSet) {
  // Halfway between I and -I lies 0, which is no rotation; the projection brings it back to one.
  const auto orthogonal = make_constraint("orthogonal");
  const MatrixD start = MatrixD::identity(2);
  MatrixD end(2, 2);
  end(0, 1) = 1, end(1, 0) = -1;
  const MatrixD blend = blend_maps(start, end, 0.5, *orthogonal);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(blend(i, 0) * blend(i, 0) + blend(i, 1) * blend(i, 1), 1, 1e-9);
}

/// Trainings that share their start give the scores that they have alone.
TEST(Selection, ASharedStartChangesNoScore) {
  const SyntheticPair data = synthetic_pair({.words = 400, .noise = 0.5});
  const Lexicon validation({{301, 301}, {302, 302}, {303, 303}, {304, 304}, {305, 305}, {306, 306}});
  const RcslsTrainer trainer(data.source.table(), data.target.table(), {}, 1);
  const SelectionOptions grid{.learning_rates = {1, 10}, .epochs = {1, 3}};
  const auto scores = [&](SharedStart* start) {
    TrainingSession session({}, Checkpoint::Fingerprint{});
    const ValidationScore score(data.source.table(), data.target.table(), validation, 10);
    std::vector<std::optional<double>> result;
    for (const auto& row : select(trainer, data.lexicon.pairs(), score, grid, session, start).rows)
      result.push_back(row.score);
    return result;
  };
  std::optional<SharedStart> start = trainer.shared_start();
  ASSERT_TRUE(start.has_value());
  EXPECT_EQ(scores(nullptr), scores(&*start));
  EXPECT_TRUE(start->known);
  EXPECT_FALSE(RcslsTrainer(data.source.table(), data.target.table(), {.pool = NeighborPool::train}, 1)
                   .shared_start()
                   .has_value());
}

/// A rate that is too long for the first step, and is halved until it is another rate of the grid, goes the way of that
/// one without searching again.
TEST(Selection, ARateThatBecomesAnotherIsNotTrainedAgain) {
  const SyntheticPair data = synthetic_pair({.words = 400, .noise = 0.5});
  const Lexicon validation({{301, 301}, {302, 302}, {303, 303}, {304, 304}});
  const RcslsTrainer trainer(data.source.table(), data.target.table(), {}, 1);
  const SelectionOptions grid{.learning_rates = {10, 80}, .epochs = {8}};
  const ValidationScore score(data.source.table(), data.target.table(), validation, 10);
  TrainingSession session({}, Checkpoint::Fingerprint{});
  std::optional<SharedStart> start = trainer.shared_start();
  select(trainer, data.lexicon.pairs(), score, grid, session, &*start);
  const auto& shorter = session.iterations("selection, learning rate 10");
  const auto& longer = session.iterations("selection, learning rate 80");
  ASSERT_EQ(shorter.size(), 9u);
  ASSERT_EQ(longer.size(), 9u);
  for (std::size_t step = 1; step <= 3; ++step) {
    EXPECT_EQ(longer[step].outcome, StepOutcome::rolled_back);
    EXPECT_GT(longer[step].searched, 0u);
  }
  for (std::size_t step = 4; step < longer.size(); ++step) {
    EXPECT_EQ(longer[step].loss, shorter[step - 3].loss);
    EXPECT_EQ(longer[step].searched, 0u);
  }
  EXPECT_TRUE(start->evaluations.empty());  // not kept beyond the selection
}

TEST(Selection, WithFewWordsTheWayIsShort) {
  const SelectionOptions usual = short_of({});
  EXPECT_EQ(usual.learning_rates, (std::vector<double>{1, 10, 25}));
  EXPECT_EQ(usual.epochs, std::vector<int>{10});
  EXPECT_EQ(usual.blends, (std::vector<double>{0.1, 0.25}));
  const SelectionOptions long_ways = short_of({.learning_rates = {80, 40}, .epochs = {7}, .blends = {1, 0.5}});
  EXPECT_EQ(long_ways.learning_rates, std::vector<double>{40});
  EXPECT_EQ(long_ways.blends, std::vector<double>{0.5});
}

TEST(Selection, FoldsDealOutTheRarerHalf) {
  std::vector<Lexicon::Pair> pairs;
  for (WordId i = 0; i < 21; ++i)
    for (WordId j = 0; j < 2; ++j) pairs.push_back({i, i + j});
  const auto folds = rare_folds(Lexicon(pairs), 3, 5);
  ASSERT_EQ(folds.size(), 3u);
  std::vector<WordId> all;
  for (const LexiconSplit& fold : folds) {
    EXPECT_EQ(fold.train.size() + fold.validation.size(), pairs.size());
    for (const WordId word : fold.validation.source_words()) {
      all.push_back(word);
      EXPECT_FALSE(std::ranges::binary_search(fold.train.source_words(), word));
    }
  }
  std::ranges::sort(all);
  EXPECT_EQ(all, (std::vector<WordId>{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
  EXPECT_TRUE(rare_folds(Lexicon({{3, 4}}), 3, 5).empty());
}

/// The scores are those of the maps of each fold, counted together.
TEST(Selection, FoldsAreCountedTogether) {
  const SyntheticPair data = synthetic_pair({.words = 400, .pairs = 40, .noise = 0.3});
  const RcslsTrainer trainer(data.source.table(), data.target.table(), {}, 1);
  const SelectionOptions grid{.learning_rates = {5}, .epochs = {2}, .blends = {0.5}};
  std::vector<SelectionFold> folds;
  double right_at_start = 0, right = 0;
  for (LexiconSplit& fold : rare_folds(data.lexicon, 2, 1)) {
    auto score = std::make_unique<const ValidationScore>(data.source.table(), data.target.table(), fold.validation, 10);
    TrainingSession session({}, Checkpoint::Fingerprint{});
    const SelectionReport own = select(trainer, fold.train.pairs(), *score, grid, session);
    right_at_start += own.rows[0].score.value() * static_cast<double>(score->words());
    right += own.rows[1].score.value() * static_cast<double>(score->words());
    folds.push_back({std::move(fold.train), std::move(score)});
  }
  TrainingSession session({}, Checkpoint::Fingerprint{});
  const SelectionReport report = select_by_folds(trainer, folds, grid, session);
  EXPECT_EQ(report.words, 20u);
  EXPECT_NEAR(report.rows[0].score.value(), right_at_start / 20, 1e-9);
  EXPECT_NEAR(report.rows[1].score.value(), right / 20, 1e-9);
}

}  // namespace
}  // namespace wordbridge::selection_test
