#include "align/prepared_problem.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "align/aligner_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge::prepared_problem_test {
namespace {

using Step = Normalizer::Step;

/// Remembers what it was given and answers with a given result.
class Recorder final : public Aligner {
 public:
  explicit Recorder(AlignmentResult result) : result_(std::move(result)) {}
  std::string name() const override { return "recorder"; }
  std::map<std::string, std::string> options() const override { return {{"depth", "3"}}; }
  AlignmentResult solve(const AlignmentProblem& problem) const override {
    source = problem.source.table();
    pairs.assign(problem.lexicon.pairs().begin(), problem.lexicon.pairs().end());
    return result_;
  }
  mutable Matrix source;
  mutable std::vector<Lexicon::Pair> pairs;

 private:
  AlignmentResult result_;
};

TEST(PreparedProblem, PairsOfNoWeightTakePartInNothing) {
  SyntheticPair data = synthetic_pair();
  const Recorder aligner({.source_map = Matrix::identity(8)});
  const std::vector<Step> steps = {Step::unit};
  const Mapping mapping =
      PreparedProblem(data.source, data.target, Lexicon({{0, 0, 0.5}, {1, 1, 0}, {2, 2}}), steps).solve(aligner);
  EXPECT_THAT(aligner.pairs, testing::ElementsAre(Lexicon::Pair{0, 0, 0.5}, Lexicon::Pair{2, 2}));
  EXPECT_EQ(mapping.provenance.metrics.count("zero_pairs"), 0u);
  EXPECT_THROW(PreparedProblem(data.source, data.target, Lexicon({{1, 1, 0}}), steps).solve(aligner), UsageError);
  EXPECT_THROW(PreparedProblem(data.source, data.target, Lexicon({{0, 0}, {1, 1, -1}}), steps).solve(aligner),
               UsageError);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(PreparedProblem(data.source, data.target, Lexicon({{0, 0}, {1, 1, nan}}), steps).solve(aligner),
               UsageError);
}

TEST(PreparedProblem, FillsTheMappingAndItsProvenance) {
  SyntheticPair data = synthetic_pair({.source_dimension = 4, .target_dimension = 3});
  for (float& value : data.source.table().elements()) value = value * 2 + 0.25f;
  const WordVectors raw = data.source;
  const std::string checksum = content_checksum(raw.vocabulary(), raw.table());
  const Recorder aligner({.source_map = random_matrix(5, 4, 1),
                          .target_map = random_matrix(5, 3, 2),
                          .metrics = {{"loss", 0.5}},
                          .report = {.warnings = {"take care"}}});
  const std::vector<Step> steps = {Step::unit, Step::center};
  const Mapping mapping = PreparedProblem(data.source, data.target, data.lexicon, steps).solve(aligner);

  Matrix normalized = raw.table();
  const Normalizer expected = Normalizer::fit(steps, normalized);
  EXPECT_EQ(aligner.source, normalized) << "the aligner sees normalized rows";
  EXPECT_EQ(mapping.normalizer(Side::source), expected);
  EXPECT_EQ(mapping.normalizer(Side::target).name(), "unit,center");
  EXPECT_EQ(mapping.source_map(), random_matrix(5, 4, 1));
  EXPECT_EQ(*mapping.target_map(), random_matrix(5, 3, 2));

  const Provenance& provenance = mapping.provenance;
  EXPECT_EQ(provenance.version, version());
  EXPECT_EQ(provenance.method, "recorder");
  EXPECT_EQ(provenance.options.at("depth"), "3");
  EXPECT_EQ(provenance.options.at("normalization"), "unit,center");
  EXPECT_EQ(provenance.criterion, "csls");
  EXPECT_EQ(provenance.source.checksum, checksum) << "of the vectors before normalization";
  EXPECT_EQ(provenance.source.words, 200u);
  EXPECT_EQ(provenance.source.dimension, 4u);
  EXPECT_EQ(provenance.target.dimension, 3u);
  EXPECT_EQ(provenance.lexicon, data.lexicon.coverage().to_line());
  EXPECT_EQ(provenance.metrics.at("loss"), 0.5);
  EXPECT_EQ(provenance.metrics.count("zero_pairs"), 0u);
  EXPECT_THAT(provenance.report.warnings, ::testing::ElementsAre("take care"));
  EXPECT_EQ(mapping.mismatch(raw, Side::source), std::nullopt);
}

TEST(PreparedProblem, PairsWithAZeroVectorTakePartInNothing) {
  SyntheticPair data = synthetic_pair({.pairs = 5});
  std::ranges::fill(data.source.table().row(1), 0.0f);
  std::ranges::fill(data.target.table().row(3), 0.0f);
  const Recorder aligner({.source_map = random_matrix(8, 8, 1)});
  const Mapping mapping = PreparedProblem(data.source, data.target, data.lexicon, {}).solve(aligner);
  EXPECT_THAT(aligner.pairs, ::testing::ElementsAre(Lexicon::Pair{0, 0}, Lexicon::Pair{2, 2}, Lexicon::Pair{4, 4}));
  EXPECT_EQ(mapping.provenance.metrics.at("zero_pairs"), 2);
}

TEST(PreparedProblem, ALexiconOfZeroVectorsIsAnError) {
  SyntheticPair data = synthetic_pair({.pairs = 1});
  std::ranges::fill(data.source.table().row(0), 0.0f);
  EXPECT_THROW(PreparedProblem(data.source, data.target, data.lexicon, {}), UsageError);
}

TEST(PreparedProblem, AMapThatIsNotFiniteIsAnError) {
  SyntheticPair data = synthetic_pair();
  Matrix broken = random_matrix(8, 8, 1);
  broken(3, 3) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(PreparedProblem(data.source, data.target, data.lexicon, {}).solve(Recorder({.source_map = broken})),
               Error);
  EXPECT_THROW(PreparedProblem(data.source, data.target, data.lexicon, {})
                   .solve(Recorder({.source_map = random_matrix(8, 8, 1), .target_map = broken})),
               Error);
}

TEST(PreparedProblem, NamesGoIntoTheProvenance) {
  const SyntheticPair data = synthetic_pair();
  const Mapping mapping = PreparedProblem(data.source, data.target, data.lexicon, {},
                                          {.max_words = 7, .lexicon = "a.txt", .source = "one", .target = "other"})
                              .solve(Recorder({.source_map = Matrix::identity(8)}));
  EXPECT_EQ(mapping.provenance.max_words, 7u);
  EXPECT_EQ(mapping.provenance.lexicon, "a.txt: " + data.lexicon.coverage().to_line());
  EXPECT_EQ(mapping.provenance.source.name, "one");
  EXPECT_EQ(mapping.provenance.target.name, "other");
}

TEST(PreparedProblem, TheSameInputsAfterOtherStepsAreThoseThatWereRead) {
  SyntheticPair data = synthetic_pair();
  for (float& value : data.source.table().elements()) value = value * 2 + 0.25f;
  const PreparedProblem first(data.source, data.target, data.lexicon, {Step::unit, Step::center}, {}, true);
  ASSERT_TRUE(first.keeps_raw());
  const PreparedProblem again = first.normalized_as({Step::unit});
  const PreparedProblem expected(data.source, data.target, data.lexicon, {Step::unit});
  EXPECT_EQ(again.source().table(), expected.source().table());
  EXPECT_EQ(again.target().table(), expected.target().table());
  EXPECT_EQ(again.normalizer(Side::source).name(), "unit");
  EXPECT_EQ(again.origin(Side::source).checksum, expected.origin(Side::source).checksum);
  EXPECT_FALSE(again.keeps_raw());
}

}  // namespace
}  // namespace wordbridge::prepared_problem_test
