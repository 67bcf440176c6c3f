#include "wordbridge/aligners/rcsls.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "wordbridge/aligners/aligner_test_support.h"
#include "wordbridge/aligners/procrustes.h"
#include "wordbridge/base/error.h"
#include "wordbridge/base/temporary_folder_test_support.h"

namespace wordbridge::rcsls_test {
namespace {

using Json = nlohmann::json;

struct RcslsTest : testing::Test {
  SyntheticPair data = synthetic_pair({.words = 400, .pairs = 150, .noise = 0.3});

  AlignmentResult solve(const RcslsOptions& options) const {
    return RcslsAligner(options).solve({data.source, data.target, data.lexicon});
  }
};

TEST_F(RcslsTest, TrainsDownFromProcrustes) {
  const AlignmentResult result = solve({.learning_rate = 1, .epochs = 8});
  const Json iterations = Json::parse(result.details).at("iterations");
  ASSERT_GE(iterations.size(), 2u);
  EXPECT_LT(result.metrics.at("loss"), iterations.front().at("loss").get<double>());
  EXPECT_NE(result.source_map, ProcrustesAligner().solve({data.source, data.target, data.lexicon}).source_map);
}

TEST_F(RcslsTest, SmallLexiconsAndNamedRatesAreNotSelectedFor) {
  EXPECT_FALSE(Json::parse(solve({}).details).contains("selection"));
  EXPECT_FALSE(Json::parse(solve({.learning_rate = 2}).details).contains("selection"));
}

TEST_F(RcslsTest, SelectionTriesTheGridAndTheStart) {
  RcslsOptions options;
  options.selection.mode = SelectionMode::validation;
  options.selection.learning_rates = {0.5, 2};
  options.selection.epochs = {2, 4};
  options.selection.blends = {1};
  const AlignmentResult result = solve(options);
  const Json selection = Json::parse(result.details).at("selection");
  ASSERT_EQ(selection.at("rows").size(), 5u);  // the start, and 2 rates x 2 numbers of epochs
  EXPECT_EQ(selection.at("rows")[0].at("learning_rate"), 0);
  double best = 0;
  for (const Json& row : selection.at("rows")) best = std::max(best, row.at("score").get<double>());
  EXPECT_EQ(selection.at("rows")[selection.at("chosen").get<std::size_t>()].at("score"), best);
}

TEST_F(RcslsTest, SameSeedSameBits) {
  const RcslsOptions options{.learning_rate = 1, .epochs = 5, .batch = 40, .seed = 3};
  EXPECT_EQ(solve(options).source_map, solve(options).source_map);
  RcslsOptions other = options;
  other.seed = 4;
  EXPECT_NE(solve(options).source_map, solve(other).source_map);
}

TEST_F(RcslsTest, AFinishedCheckpointGivesTheSameResultAtOnce) {
  const TemporaryFolder folder;
  RcslsOptions options{.learning_rate = 1, .epochs = 4, .checkpoint = folder.path("run")};
  const AlignmentResult first = solve(options);
  options.resume = true;
  EXPECT_EQ(solve(options).source_map, first.source_map);
  options.learning_rate = 2;
  EXPECT_THROW(solve(options), UsageError);  // a checkpoint of another run
}

TEST_F(RcslsTest, DivergenceKeepsTheBestMapAndSaysSo) {
  const AlignmentResult result = solve({.learning_rate = 1e6, .epochs = 3, .schedule = Schedule::reference});
  for (const float value : result.source_map.elements()) EXPECT_TRUE(std::isfinite(value));
  const Json warnings = Json::parse(result.details).at("warnings");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].get<std::string>(), testing::HasSubstr("training diverged at step"));
}

TEST_F(RcslsTest, RefusesWhatCannotBe) {
  EXPECT_THROW(RcslsAligner(RcslsOptions{.constraint = "round"}), UsageError);
  EXPECT_THROW(RcslsAligner(RcslsOptions{.learning_rate = -1}), UsageError);
  EXPECT_THROW(RcslsAligner().solve({data.source, data.target, Lexicon()}), UsageError);
}

}  // namespace
}  // namespace wordbridge::rcsls_test
