#include "align/rcsls/shared_start.h"

#include <gtest/gtest.h>

#include "align/aligner_test_support.h"
#include "linalg/random_map_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/int8_search.h"
#include "search/search_cases_test_support.h"
#include "search/warm_start/warm_start_search.h"

namespace wordbridge::shared_start_test {
namespace {

constexpr std::size_t kNeighbors = 10;

void expect_same(const ObjectiveValue& expected, const ObjectiveValue& actual) {
  EXPECT_EQ(expected.loss_sum, actual.loss_sum);
  EXPECT_EQ(expected.gradient_sum, actual.gradient_sum);
  EXPECT_EQ(expected.pairs, actual.pairs);
}

/// A training's objective with searches of its own, and its slow twin.
struct Training {
  Training(const SyntheticPair& data, std::span<const Lexicon::Pair> pairs, const Int8Search& targets,
           const Int8Search& sources, SharedStart& start)
      : words(data.source.table(), data.target.table(), pairs),
        target_pool(targets),
        source_pool(sources),
        objective(words, target_pool, source_pool, *term, kNeighbors),
        started(objective, words, target_pool, source_pool, start),
        target_oracle(data.target.table()),
        source_oracle(data.source.table()),
        target_repeated(target_oracle),
        source_repeated(source_oracle),
        twin(words, target_repeated, source_repeated, *term, kNeighbors) {}

  ObjectiveValue evaluate(const MatrixD& w) {
    const ObjectiveValue value = started.evaluate(w);
    expect_same(twin.evaluate(w), value);
    EXPECT_EQ(value.searched + value.saved_scans, words.source_rows().size() + words.target_rows().size());
    return value;
  }

  std::unique_ptr<NeighborTerm> term = make_neighbor_term("mean", 1);
  TrainingPairs words;
  WarmStartSearch target_pool, source_pool;
  RcslsObjective objective;
  StartedObjective started;
  BruteForceSearch target_oracle, source_oracle;
  RepeatedSearch target_repeated, source_repeated;
  RcslsObjective twin;
};

MatrixD moved(const MatrixD& w, double by) {
  MatrixD result = w;
  for (std::size_t i = 0; i < w.size(); ++i) result.data()[i] += by * static_cast<double>(i % 7);
  return result;
}

class SharedStartTest : public testing::Test {
 protected:
  const SyntheticPair data = synthetic_pair({.words = 300, .noise = 0.3});
  const Int8Search targets{data.target.table(), kernels_with_blocks()};
  const Int8Search sources{data.source.table(), kernels_with_blocks()};
  SharedStart start{std::make_unique<WarmStartSearch>(targets), std::make_unique<WarmStartSearch>(sources)};
  const std::vector<Lexicon::Pair> all{data.lexicon.pairs().begin(), data.lexicon.pairs().end()};
  const std::vector<Lexicon::Pair> some{all.begin() + 3, all.end() - 2};
  const MatrixD w = random_map(8, 8, 1, 5);
};

TEST_F(SharedStartTest, ValuesAreThoseOfAnObjectiveOfItsOwn) {
  const MatrixD w_other = moved(w, 0.01);

  Training first(data, some, targets, sources, start);
  EXPECT_EQ(first.evaluate(w).saved_scans, 0u);
  first.evaluate(w_other);
  EXPECT_TRUE(start.known);
  EXPECT_EQ(start.w, w);  // the first evaluation only

  Training second(data, some, targets, sources, start);
  EXPECT_EQ(second.evaluate(w).searched, 0u);
  EXPECT_GT(second.evaluate(moved(w, 1e-5)).saved_scans, 0u);  // by bounds of the first training
  second.evaluate(w_other);

  Training elsewhere(data, some, targets, sources, start);
  EXPECT_EQ(elsewhere.evaluate(w_other).saved_scans, 0u);

  Training more_pairs(data, all, targets, sources, start);
  EXPECT_EQ(more_pairs.evaluate(w).saved_scans, 0u);
  more_pairs.evaluate(w_other);

  std::vector<Lexicon::Pair> weighted = some;
  weighted[0].weight = 2;
  Training other_weights(data, weighted, targets, sources, start);
  other_weights.evaluate(w);
}

/// Trainings that meet again: what one evaluated after the start, the others need not search for.
TEST_F(SharedStartTest, WhatWasEvaluatedOnTheWay) {
  Training forgotten(data, some, targets, sources, start);
  forgotten.evaluate(w);
  forgotten.evaluate(moved(w, 0.01));
  EXPECT_TRUE(start.evaluations.empty());

  start.remembers = true;
  Training first(data, some, targets, sources, start);
  first.evaluate(w);
  for (int step = 1; step <= 3; ++step) EXPECT_GT(first.evaluate(moved(w, 0.01 * step)).searched, 0u);
  EXPECT_EQ(start.evaluations.size(), 3u);

  Training second(data, some, targets, sources, start);
  second.evaluate(w);
  EXPECT_GT(second.evaluate(moved(w, 0.5)).searched, 0u);
  for (int step = 1; step <= 3; ++step) EXPECT_EQ(second.evaluate(moved(w, 0.01 * step)).searched, 0u);
  EXPECT_GT(second.evaluate(moved(w, 0.04)).searched, 0u);

  Training more_pairs(data, all, targets, sources, start);
  more_pairs.evaluate(w);
  EXPECT_GT(more_pairs.evaluate(moved(w, 0.01)).searched, 0u);
  EXPECT_EQ(start.evaluations.size(), 5u);  // of the same pairs only

  for (std::size_t step = 0; step < 2 * SharedStart::kMostEvaluations; ++step)
    second.evaluate(moved(w, 1 + 0.01 * static_cast<double>(step)));
  EXPECT_EQ(start.evaluations.size(), SharedStart::kMostEvaluations);
}

TEST(SharedStartWithoutMemory, SearchesThatRememberNothing) {
  const SyntheticPair data = synthetic_pair({.words = 150});
  const BruteForceSearch targets(data.target.table()), sources(data.source.table());
  SharedStart start(std::make_unique<RepeatedSearch>(targets), std::make_unique<RepeatedSearch>(sources));
  const MatrixD w = random_map(8, 8, 1, 5);
  const auto term = make_neighbor_term("mean", 1);
  for (int training = 0; training < 2; ++training) {
    const TrainingPairs words(data.source.table(), data.target.table(), data.lexicon.pairs());
    RepeatedSearch target_pool(targets), source_pool(sources);
    RcslsObjective objective(words, target_pool, source_pool, *term, kNeighbors);
    StartedObjective started(objective, words, target_pool, source_pool, start);
    expect_same(objective.evaluate(w), started.evaluate(w));
    expect_same(objective.evaluate(moved(w, 0.1)), started.evaluate(moved(w, 0.1)));
  }
}

}  // namespace
}  // namespace wordbridge::shared_start_test
