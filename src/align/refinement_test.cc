#include "align/refinement.h"

#include <gmock/gmock.h>

#include "align/aligner_test_support.h"
#include "align/linear/procrustes.h"
#include "align/linear/vecmap.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

// What every aligner promises is in aligner_contract_test.cc.

namespace wordbridge::refinement_test {
namespace {

RefinedAligner refined(RefinementOptions options = {}) {
  return {std::make_unique<ProcrustesAligner>(), std::make_unique<ProcrustesAligner>(), options};
}

/// A lexicon too small to settle the map: nine pairs in twelve dimensions.
SyntheticPair weak_start() {
  return synthetic_pair({.words = 400, .source_dimension = 12, .target_dimension = 12, .pairs = 9, .noise = 0.02});
}

std::vector<RefinementRound> rounds_of(const AlignmentResult& result) { return result.report.refinement; }

TEST(Refinement, FindsTheMapThatTheLexiconAloneDoesNotSettle) {
  const SyntheticPair data = weak_start();
  const AlignmentProblem problem{data.source, data.target, data.lexicon};
  const double before = largest_difference(ProcrustesAligner().solve(problem).source_map, data.truth);
  const AlignmentResult result = refined({.rounds = 10}).solve(problem);
  EXPECT_GT(before, 0.3);
  EXPECT_LT(largest_difference(result.source_map, data.truth), 0.02);
}

TEST(Refinement, ReportsEachRound) {
  const SyntheticPair data = weak_start();
  const AlignmentResult result = refined({.rounds = 10}).solve({data.source, data.target, data.lexicon});
  const std::vector<RefinementRound> rounds = rounds_of(result);
  ASSERT_EQ(rounds.size(), 10u);
  EXPECT_LT(rounds[0].pairs, rounds[9].pairs);
  EXPECT_LT(rounds[0].mean_similarity, rounds[9].mean_similarity);
  EXPECT_LE(rounds[0].kept, 9u);
  EXPECT_GE(static_cast<double>(rounds[9].kept), 0.95 * static_cast<double>(rounds[9].pairs));  // it has converged
  EXPECT_EQ(result.metrics.at("pairs"), static_cast<double>(rounds[9].pairs));
}

// Four words in the plane, of which the last is the rarest; both sides are equal, so every word finds itself, and the
// margins to the second best are by CSLS with one neighbor: r is 1 everywhere, so 2 (1 - cos of the nearest other).
TEST(Refinement, RankCutThresholdMinimumAndMaximum) {
  Matrix table(4, 2);
  const float rows[4][2] = {{1, 0}, {0.8f, 0.6f}, {0, 1}, {-0.6f, 0.8f}};
  for (std::size_t i = 0; i < 4; ++i) std::copy_n(rows[i], 2, table.row(i).data());
  // cosines: 0-1 0.8, 1-2 0.6, 2-3 0.8, 0-3 -0.6, 1-3 0; margins 0.4, 0.4, 0.4, 0.4.
  const WordVectors words = numbered_vectors(table);
  const Lexicon lexicon = diagonal_lexicon(2);
  const auto pairs = [&](RefinementOptions options) {
    options.rounds = 1;
    options.neighbors = 1;
    return rounds_of(refined(options).solve({words, words, lexicon})).at(0).pairs;
  };
  EXPECT_EQ(pairs({}), 4u);
  EXPECT_EQ(pairs({.max_rank = 3}), 3u);
  EXPECT_EQ(pairs({.max_rank = 0}), 4u);
  EXPECT_EQ(pairs({.threshold = 0.3}), 4u);
  EXPECT_EQ(pairs({.threshold = 0.5, .min_pairs = 3}), 3u);
  EXPECT_EQ(pairs({.max_pairs = 2}), 2u);
  EXPECT_THROW(pairs({.threshold = 0.5}), Error);  // nothing is left
}

TEST(Refinement, DirectionsFindAsManyPairsAsTheyShould) {
  const SyntheticPair data = weak_start();
  const auto pairs = [&](InductionDirection direction) {
    const AlignmentResult result =
        refined({.rounds = 1, .direction = direction}).solve({data.source, data.target, data.lexicon});
    return rounds_of(result).at(0).pairs;
  };
  using enum InductionDirection;
  EXPECT_EQ(pairs(source_to_target), 400u);
  EXPECT_EQ(pairs(target_to_source), 400u);
  EXPECT_EQ(pairs(intersection) + pairs(either), 800u);
}

TEST(Refinement, AnyMethodCanRefit) {
  const SyntheticPair data = weak_start();
  const RefinedAligner aligner(std::make_unique<ProcrustesAligner>(), std::make_unique<VecmapAligner>(), {});
  const AlignmentResult result = aligner.solve({data.source, data.target, data.lexicon});
  EXPECT_TRUE(result.target_map.has_value());
  EXPECT_EQ(aligner.name(), "procrustes+refine");
  EXPECT_EQ(aligner.options().at("refine_with"), "vecmap");
}

/// Gives a warning, and the identity.
class WarningAligner final : public Aligner {
 public:
  explicit WarningAligner(std::string warning) : warning_(std::move(warning)) {}
  std::string name() const override { return "warning"; }
  std::map<std::string, std::string> options() const override { return {}; }
  AlignmentResult solve(const AlignmentProblem& problem) const override {
    return {.source_map = Matrix::identity(problem.source.dimension()),
            .report = {.warnings = {warning_}, .start_errors = {static_cast<double>(warning_.size())}}};
  }

 private:
  std::string warning_;
};

TEST(Refinement, KeepsWhatTheMethodsSay) {
  const SyntheticPair data = weak_start();
  const RefinedAligner aligner(std::make_unique<WarningAligner>("first"), std::make_unique<WarningAligner>("then"), {});
  const AlignmentReport report = aligner.solve({data.source, data.source, data.lexicon}).report;
  EXPECT_THAT(report.warnings, ::testing::ElementsAre("first", "then"));
  EXPECT_THAT(report.start_errors, ::testing::ElementsAre(5)) << "of the method, not of the fits";
}

TEST(Refinement, RefusesOptionsThatCannotBe) {
  EXPECT_THROW(refined({.rounds = 0}), UsageError);
  EXPECT_THROW(refined({.threshold = NAN}), UsageError);
  EXPECT_THROW(refined({.min_pairs = 5, .max_pairs = 4}), UsageError);
  EXPECT_THROW(refined({.neighbors = 0}), UsageError);
}

}  // namespace
}  // namespace wordbridge::refinement_test
