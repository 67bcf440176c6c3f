#include "align/rcsls/selection.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wordbridge::selection_test
