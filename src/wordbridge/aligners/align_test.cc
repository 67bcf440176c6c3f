#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "wordbridge/aligners/aligner.h"
#include "wordbridge/aligners/aligner_test_support.h"
#include "wordbridge/aligners/procrustes.h"
#include "wordbridge/base/error.h"
#include "wordbridge/base/version.h"
#include "wordbridge/linalg/random_matrix_test_support.h"

namespace wordbridge::align_test {
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

TEST(Align, FillsTheMappingAndItsProvenance) {
  SyntheticPair data = synthetic_pair({.source_dimension = 4, .target_dimension = 3});
  for (float& value : data.source.table().elements()) value = value * 2 + 0.25f;
  const WordVectors raw = data.source;
  const std::string checksum = content_checksum(raw.vocabulary(), raw.table());
  const Recorder aligner({.source_map = random_matrix(5, 4, 1),
                          .target_map = random_matrix(5, 3, 2),
                          .metrics = {{"loss", 0.5}},
                          .report = {.warnings = {"take care"}}});
  const std::vector<Step> steps = {Step::unit, Step::center};
  const Mapping mapping = align(aligner, data.source, data.target, data.lexicon, steps);

  Matrix normalized = raw.table();
  const Normalizer expected = Normalizer::fit(steps, normalized);
  EXPECT_EQ(aligner.source, normalized) << "the aligner sees normalized rows";
  EXPECT_EQ(data.source.table(), normalized) << "and so does the caller, afterwards";
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

TEST(Align, PairsWithAZeroVectorTakePartInNothing) {
  SyntheticPair data = synthetic_pair({.pairs = 5});
  std::ranges::fill(data.source.table().row(1), 0.0f);
  std::ranges::fill(data.target.table().row(3), 0.0f);
  const Recorder aligner({.source_map = random_matrix(8, 8, 1)});
  const Mapping mapping = align(aligner, data.source, data.target, data.lexicon, {});
  EXPECT_THAT(aligner.pairs, ::testing::ElementsAre(Lexicon::Pair{0, 0}, Lexicon::Pair{2, 2}, Lexicon::Pair{4, 4}));
  EXPECT_EQ(mapping.provenance.metrics.at("zero_pairs"), 2);
}

TEST(Align, ALexiconOfZeroVectorsIsAnError) {
  SyntheticPair data = synthetic_pair({.pairs = 1});
  std::ranges::fill(data.source.table().row(0), 0.0f);
  EXPECT_THROW(align(ProcrustesAligner(), data.source, data.target, data.lexicon, {}), UsageError);
}

TEST(Align, AMapThatIsNotFiniteIsAnError) {
  SyntheticPair data = synthetic_pair();
  Matrix broken = random_matrix(8, 8, 1);
  broken(3, 3) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(align(Recorder({.source_map = broken}), data.source, data.target, data.lexicon, {}), Error);
  EXPECT_THROW(align(Recorder({.source_map = random_matrix(8, 8, 1), .target_map = broken}), data.source, data.target,
                     data.lexicon, {}),
               Error);
}

}  // namespace
}  // namespace wordbridge::align_test
