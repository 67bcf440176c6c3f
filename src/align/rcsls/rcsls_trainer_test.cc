#include "align/rcsls/rcsls_trainer.h"

#include <gtest/gtest.h>

#include "align/aligner_test_support.h"
#include "align/linear/procrustes.h"
#include "linalg/random_map_test_support.h"
#include "optimize/subgradient.h"
#include "search/brute_force_search_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::rcsls_trainer_test {
namespace {

constexpr std::uint64_t kSeed = 3;

struct Fixture : testing::Test {
  SyntheticPair data = synthetic_pair({.words = 300, .source_dimension = 10, .target_dimension = 7, .noise = 0.3});
  std::vector<Lexicon::Pair> pairs{data.lexicon.pairs().begin(), data.lexicon.pairs().end()};

  RcslsTrainer trainer(const RcslsOptions& options) const {
    return RcslsTrainer(data.source.table(), data.target.table(), options, kSeed);
  }
};
using RcslsTrainerTest = Fixture;

TEST_F(RcslsTrainerTest, StartsWhereItIsTold) {
  const AlignmentResult procrustes = ProcrustesAligner().solve({data.source, data.target, data.lexicon});
  EXPECT_LT(largest_difference(trainer({}).start(pairs), to_double(procrustes.source_map)), 1e-6);

  const MatrixD identity = trainer({.init = "identity"}).start(pairs);
  ASSERT_EQ(identity.rows(), 7u);
  ASSERT_EQ(identity.cols(), 10u);
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(identity(i, j), i == j ? 1 : 0);

  const Matrix w = to_float(random_map(7, 10, 1, 1));
  EXPECT_EQ(trainer({.start_map = w}).start(pairs), to_double(w));
  EXPECT_THROW(trainer({.start_map = Matrix(10, 7)}).start(pairs), UsageError);
}

/// The same training put together by hand over the oracle of the searches.
MatrixD by_hand(const RcslsOptions& options, const MatrixD& start, ConstMatrixView source, ConstMatrixView target,
                std::span<const Lexicon::Pair> pairs, ConstMatrixView source_pool, ConstMatrixView target_pool) {
  const TrainingPairs words(source, target, pairs);
  const BruteForceSearch source_index(source_pool), target_index(target_pool);
  RepeatedSearch source_search(source_index), target_search(target_index);
  const auto term = make_neighbor_term(options.loss, options.temperature);
  const auto constraint = make_constraint(options.constraint);
  RcslsObjective objective(words, target_search, source_search, *term, options.neighbors);
  if (options.batch > 0) {
    StochasticSubgradient optimizer(objective, *constraint,
                                    {3, 5, options.batch, options.l2, kSeed, options.schedule == Schedule::reference});
    return run(optimizer, optimizer.start(start), nullptr).w;
  }
  ProjectedSubgradient optimizer(objective, *constraint, {3, 5, options.l2, options.schedule});
  return run(optimizer, optimizer.start(start), nullptr).w;
}

TEST_F(RcslsTrainerTest, TrainsOnTheExtendedPool) {
  for (const RcslsOptions& options :
       {RcslsOptions{}, RcslsOptions{.constraint = "spectral", .schedule = Schedule::reference},
        RcslsOptions{.neighbors = 3, .loss = "logsumexp", .temperature = 0.2, .l2 = 0.01}, RcslsOptions{.batch = 20},
        RcslsOptions{.schedule = Schedule::reference, .batch = 20}}) {
    const RcslsTrainer made = trainer(options);
    RcslsTrainer::Run training = made.run(pairs, 3, 5);
    const MatrixD start = made.start(pairs);
    EXPECT_EQ(run(training.optimizer(), training.optimizer().start(start), nullptr).w,
              by_hand(options, start, data.source.table(), data.target.table(), pairs, data.source.table(),
                      data.target.table()));
  }
}

TEST_F(RcslsTrainerTest, TheExtendedPoolHasALimit) {
  const RcslsOptions options{.max_negatives = 120};
  const RcslsTrainer made = trainer(options);
  RcslsTrainer::Run training = made.run(pairs, 3, 5);
  const MatrixD start = made.start(pairs);
  EXPECT_EQ(run(training.optimizer(), training.optimizer().start(start), nullptr).w,
            by_hand(options, start, data.source.table(), data.target.table(), pairs,
                    data.source.table().view().slice(0, 120), data.target.table().view().slice(0, 120)));
}

TEST_F(RcslsTrainerTest, TheTrainPoolIsTheLexiconsWords) {
  // The lexicon's words are the first 100 of both tables.
  const RcslsOptions options{.pool = NeighborPool::train};
  const RcslsTrainer made = trainer(options);
  RcslsTrainer::Run training = made.run(pairs, 3, 5);
  const MatrixD start = made.start(pairs);
  EXPECT_EQ(run(training.optimizer(), training.optimizer().start(start), nullptr).w,
            by_hand(options, start, data.source.table(), data.target.table(), pairs,
                    data.source.table().view().slice(0, 100), data.target.table().view().slice(0, 100)));
}

TEST_F(RcslsTrainerTest, RunsShareOneTrainer) {
  const RcslsTrainer made = trainer({});
  const MatrixD start = made.start(pairs);
  RcslsTrainer::Run first = made.run(pairs, 3, 5);
  RcslsTrainer::Run second = made.run(std::span(pairs).first(50), 9, 2);
  OptimizerState one = first.optimizer().start(start), two = second.optimizer().start(start);
  first.optimizer().step(one);
  second.optimizer().step(two);
  first.optimizer().step(one);
  RcslsTrainer::Run alone = made.run(pairs, 3, 5);
  OptimizerState expected = alone.optimizer().start(start);
  alone.optimizer().step(expected);
  alone.optimizer().step(expected);
  EXPECT_EQ(one.w, expected.w);
}

}  // namespace
}  // namespace wordbridge::rcsls_trainer_test
