#include "align/rcsls/rcsls.h"

#include <gmock/gmock.h>

#include "align/aligner_test_support.h"
#include "align/linear/procrustes.h"
#include "align/unsupervised/unsupervised_criterion.h"
#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::rcsls_test {
namespace {

struct RcslsTest : testing::Test {
  SyntheticPair data = synthetic_pair({.words = 400, .pairs = 150, .noise = 0.3});

  AlignmentResult solve(const RcslsOptions& options) const {
    return RcslsAligner(options).solve({data.source, data.target, data.lexicon});
  }
};

TEST_F(RcslsTest, TrainsDownFromProcrustes) {
  const AlignmentResult result = solve({.learning_rate = 1, .epochs = 8});
  const std::vector<TrainingStep> iterations = result.report.iterations.value();
  ASSERT_GE(iterations.size(), 2u);
  EXPECT_LT(result.metrics.at("loss"), iterations.front().loss);
  EXPECT_NE(result.source_map, ProcrustesAligner().solve({data.source, data.target, data.lexicon}).source_map);
}

TEST_F(RcslsTest, SmallLexiconsAreSelectedForInFoldsAndNamedRatesAreNot) {
  const SelectionReport selection = solve({}).report.selection.value();
  EXPECT_EQ(selection.words, 75u) << "the rarer half, each word once";
  for (const SelectionReport::Row& row : selection.rows) EXPECT_LE(row.blend, 0.25);
  EXPECT_FALSE(solve({.learning_rate = 2}).report.selection.has_value());
  RcslsOptions none;
  none.selection.mode = SelectionMode::none;
  EXPECT_FALSE(solve(none).report.selection.has_value());
}

TEST_F(RcslsTest, APairByItselfLeavesTheStart) {
  data.lexicon = diagonal_lexicon(1);
  const AlignmentResult result = solve({});
  EXPECT_EQ(result.source_map, ProcrustesAligner().solve({data.source, data.target, data.lexicon}).source_map);
  EXPECT_EQ(result.report.selection->chosen, 0u);
}

/// Where the pairs say nothing of other words, training on them is no better than the start, which is then kept.
TEST_F(RcslsTest, PairsAtRandomLeaveTheStart) {
  std::vector<Lexicon::Pair> pairs;
  for (WordId i = 0; i < 60; ++i) pairs.push_back({i, (i * 37 + 11) % 400});
  data.lexicon = Lexicon(pairs);
  EXPECT_EQ(solve({}).metrics.at("learning_rate"), 0);
}

TEST_F(RcslsTest, FoldsGoOnFromACheckpoint) {
  const TemporaryFolder folder;
  RcslsOptions options{.session = {.checkpoint = folder.path("run")}};
  const AlignmentResult first = solve(options);
  options.session.resume = true;
  const AlignmentResult again = solve(options);
  EXPECT_EQ(again.source_map, first.source_map);
  for (std::size_t i = 0; i < first.report.selection->rows.size(); ++i)
    EXPECT_EQ(again.report.selection->rows[i].score, first.report.selection->rows[i].score);
}

TEST_F(RcslsTest, SelectionTriesTheGridAndTheStart) {
  RcslsOptions options;
  options.selection.mode = SelectionMode::validation;
  options.selection.learning_rates = {0.5, 2};
  options.selection.epochs = {2, 4};
  options.selection.blends = {1};
  const AlignmentResult result = solve(options);
  const SelectionReport selection = result.report.selection.value();
  ASSERT_EQ(selection.rows.size(), 5u);  // the start, and 2 rates x 2 numbers of epochs
  EXPECT_EQ(selection.rows[0].learning_rate, 0);
  double best = 0;
  for (const SelectionReport::Row& row : selection.rows) best = std::max(best, row.score.value());
  EXPECT_EQ(selection.rows[selection.chosen].score, best);
}

TEST_F(RcslsTest, SelectsWithoutWordsHeldOutByTheUnsupervisedCriterion) {
  RcslsOptions options;
  options.selection = {.mode = SelectionMode::unsupervised, .learning_rates = {1}, .epochs = {2}, .blends = {1}};
  const SelectionReport selection = solve(options).report.selection.value();
  const UnsupervisedCriterion criterion(data.source.table(), data.target.table(), 10'000, 10);
  EXPECT_EQ(selection.score, criterion.name());
  const MatrixD start = procrustes_rotation(data.source.table(), data.target.table(), data.lexicon.pairs());
  EXPECT_EQ(selection.rows.front().score, criterion.score(start));
}

TEST_F(RcslsTest, SameSeedSameBits) {
  const RcslsOptions options{.learning_rate = 1, .epochs = 5, .batch = 40};
  const Matrix map = solve(options).source_map;
  EXPECT_EQ(solve(options).source_map, map);
  Context other({.seed = 4});
  const Context::Scope scope(other);
  EXPECT_NE(solve(options).source_map, map);
}

TEST_F(RcslsTest, AFinishedCheckpointGivesTheSameResultAtOnce) {
  const TemporaryFolder folder;
  RcslsOptions options{.learning_rate = 1, .epochs = 4, .session = {.checkpoint = folder.path("run")}};
  const AlignmentResult first = solve(options);
  options.session.resume = true;
  EXPECT_EQ(solve(options).source_map, first.source_map);
  options.learning_rate = 2;
  EXPECT_THROW(solve(options), UsageError);  // a checkpoint of another run
}

TEST_F(RcslsTest, DivergenceKeepsTheBestMapAndSaysSo) {
  const AlignmentResult result = solve({.learning_rate = 1e6, .epochs = 3, .schedule = Schedule::reference});
  for (const float value : result.source_map.elements()) EXPECT_TRUE(std::isfinite(value));
  EXPECT_THAT(result.report.warnings, testing::ElementsAre(testing::HasSubstr("training diverged at step")));
}

TEST_F(RcslsTest, RefusesWhatCannotBe) {
  EXPECT_THROW(RcslsAligner(RcslsOptions{.constraint = "round"}), UsageError);
  EXPECT_THROW(RcslsAligner(RcslsOptions{.learning_rate = -1}), UsageError);
  EXPECT_THROW(RcslsAligner().solve({data.source, data.target, Lexicon()}), UsageError);
}

}  // namespace
}  // namespace wordbridge::rcsls_test
