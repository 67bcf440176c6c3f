#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "align/aligner_test_support.h"
#include "align/alignment_plan.h"
#include "align/linear/procrustes.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "mapping/mapping_format.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

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

TEST(Align, PairsOfNoWeightTakePartInNothing) {
  SyntheticPair data = synthetic_pair();
  const Recorder aligner({.source_map = Matrix::identity(8)});
  const std::vector<Step> steps = {Step::unit};
  const Mapping mapping = align(aligner, data.source, data.target, Lexicon({{0, 0, 0.5}, {1, 1, 0}, {2, 2}}), steps);
  EXPECT_THAT(aligner.pairs, testing::ElementsAre(Lexicon::Pair{0, 0, 0.5}, Lexicon::Pair{2, 2}));
  EXPECT_EQ(mapping.provenance.metrics.count("zero_pairs"), 0u);
  EXPECT_THROW(align(aligner, data.source, data.target, Lexicon({{1, 1, 0}}), steps), UsageError);
  EXPECT_THROW(align(aligner, data.source, data.target, Lexicon({{0, 0}, {1, 1, -1}}), steps), UsageError);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(align(aligner, data.source, data.target, Lexicon({{0, 0}, {1, 1, nan}}), steps), UsageError);
}

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

/// What the error of a plan says; empty where there is none.
std::string error_of(const AlignOptions& options) {
  try {
    const AlignmentPlan plan(options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(AlignByName, DoesWhatTheAlignerDoes) {
  const SyntheticPair data = synthetic_pair();
  Context context({.seed = 7});
  const Context::Scope scope(context);
  const Mapping mapping = align(data.source, data.target, data.lexicon, {.method = "artetxe"});
  SyntheticPair copy = data;
  const Mapping expected =
      align(ProcrustesAligner(), copy.source, copy.target, copy.lexicon, std::vector<Step>{Step::unit, Step::center});
  EXPECT_EQ(mapping.source_map(), expected.source_map());
  EXPECT_EQ(mapping.provenance.method, "artetxe");
  EXPECT_EQ(mapping.provenance.options.at("map"), "procrustes") << "a preset has a name of its own";
  EXPECT_EQ(mapping.provenance.criterion, "nn");
  EXPECT_EQ(mapping.provenance.seed, 7u);
  EXPECT_EQ(mapping.provenance.options.at("normalization"), "unit,center");
}

TEST(AlignByName, TheDefaultIsAutoAndOptionsGoByName) {
  const SyntheticPair data = synthetic_pair();
  const Mapping usual = align(data.source, data.target, data.lexicon);
  EXPECT_EQ(usual.provenance.method, "auto");
  const Mapping mapping = align(
      data.source, data.target, data.lexicon,
      {.method = "rcsls", .options = {{"learning-rate", "2"}, {"epochs", 3}, {"l2", 0.125}}, .normalization = "none"});
  EXPECT_EQ(mapping.provenance.options.at("learning-rate"), "2");
  EXPECT_EQ(mapping.provenance.options.at("epochs"), "3");
  EXPECT_EQ(mapping.provenance.options.at("l2"), "0.125");
  EXPECT_EQ(mapping.provenance.options.at("normalization"), "none");
  EXPECT_EQ(mapping.provenance.options.count("map"), 0u);
  EXPECT_TRUE(mapping.provenance.report.iterations.has_value());
}

TEST(AlignByName, RefinesWithAnotherMethod) {
  const SyntheticPair data = synthetic_pair();
  const Mapping mapping =
      align(data.source, data.target, data.lexicon,
            {.method = "procrustes", .options = {{"refine", 2}, {"refine-with", "mikolov"}, {"ridge", 0.5}}});
  EXPECT_EQ(mapping.provenance.method, "procrustes+refine");
  EXPECT_EQ(mapping.provenance.options.at("refine"), "2");
  EXPECT_EQ(mapping.provenance.options.at("refine_with"), "least-squares");
  EXPECT_EQ(mapping.provenance.report.refinement.size(), 2u);
}

TEST(AlignByName, StartsFromAMapping) {
  const TemporaryFolder folder;
  const SyntheticPair data = synthetic_pair();
  const std::string path = folder.path("start.wbmap");
  write_mapping(align(data.source, data.target, data.lexicon, {.method = "vecmap"}), path);
  const AlignOptions options{.method = "rcsls", .options = {{"init", path}, {"learning-rate", 1}}};
  const AlignmentPlan plan(options);
  ASSERT_NE(plan.start(), nullptr);
  EXPECT_THAT(plan.inputs(), ::testing::ElementsAre(path));
  const Mapping mapping = plan.run(data.source, data.target, data.lexicon);
  EXPECT_EQ(mapping.normalizer(Side::source).name(), "unit,center,unit");
  EXPECT_EQ(mapping.target_map(), plan.start()->target_map());
  AlignOptions other = options;
  other.normalization = "unit";
  EXPECT_THAT(error_of(other), ::testing::HasSubstr("learned after 'unit,center,unit'"));
}

TEST(AlignByName, WrongOptionsAreRefusedBeforeThereAreVectors) {
  const std::vector<std::pair<AlignOptions, std::string>> cases = {
      {{.method = "best"}, "--method: 'best' is none of auto, rcsls"},
      {{.options = {{"lerning-rate", 1}}}, "unknown option 'lerning-rate'; did you mean 'learning-rate'?"},
      {{.options = {{"learning-rate", -1}}}, "--learning-rate must be above 0, not -1"},
      {{.options = {{"ridge", 1}}}, "--ridge belongs to --method least-squares, mikolov, dinu, not to auto"},
      {{.method = "smith", .options = {{"reweight", 1}}}, "--reweight belongs to --method vecmap, not to smith"},
      {{.method = "smith", .options = {{"log", "x"}}}, "--log belongs to methods that train step by step"},
      {{.method = "smith", .options = {{"restarts", 2}}}, "--restarts belongs to methods without a lexicon"},
      {{.method = "smith", .options = {{"refine-max", 2}}}, "--refine N is needed"},
      {{.method = "smith", .options = {{"refine", 1}, {"refine-with", "icp"}}}, "does not learn from a lexicon"},
      {{.method = "smith", .options = {{"refine", 1}, {"refine-with", "rcsls"}, {"checkpoint", "x"}}},
       "--checkpoint is for one training, not for --refine-with rcsls"},
      {{.method = "rcsls", .options = {{"refine", 1}, {"refine-with", "rcsls"}, {"init", "identity"}}},
       "--init is for one training"},
      {{.method = "rcsls", .options = {{"resume", true}}}, "to resume, name the checkpoint's folder"},
      {{.method = "rcsls", .options = {{"learning-rate", 1}, {"select", "validation"}}}, "cannot be selected as well"},
      {{.options = {{"learning-rate", 1}}}, "--learning-rate belongs to --method rcsls, not to auto"},
      {{.options = {{"self-learn", true}}}, "name a --method"},
      {{.method = "vecmap", .options = {{"self-learn-rounds", 1}}}, "--self-learn is needed"},
      {{.method = "icp", .options = {{"self-learn", true}}}, "--self-learn belongs to methods with a lexicon"},
      {{.method = "rcsls", .options = {{"self-learn", true}, {"init", "identity"}}}, "not from --init identity"},
      {{.method = "rcsls", .options = {{"self-learn", true}, {"select", "validation"}}}, "can be held out"},
      {{.method = "rcsls", .options = {{"init", "vecmap"}, {"select", "validation"}}}, "nothing is selected"},
      {{.normalization = "whiten"}, "'whiten'"}};
  for (const auto& [options, message] : cases) EXPECT_THAT(error_of(options), ::testing::HasSubstr(message));
}

TEST(AlignByName, WarnsOfWhatIsUnlikelyToWork) {
  const TemporaryFolder folder;
  const SyntheticPair data = synthetic_pair();
  const AlignmentPlan plan({.method = "procrustes"});
  EXPECT_THAT(plan.warnings(data.source, data.target, data.lexicon), ::testing::IsEmpty());
  const Lexicon small({data.lexicon.pairs()[0]});
  EXPECT_THAT(plan.warnings(data.source, data.target, small),
              ::testing::ElementsAre(::testing::HasSubstr("1 distinct words of the lexicon cannot settle a map")));
  EXPECT_THAT(AlignmentPlan({.method = "icp"}).warnings(data.source, data.target, Lexicon()), ::testing::IsEmpty());
  const std::string path = folder.path("start.wbmap");
  write_mapping(align(data.source, data.target, data.lexicon, {.method = "procrustes"}), path);
  const AlignmentPlan from_start({.method = "rcsls", .options = {{"init", path}}});
  EXPECT_THAT(from_start.warnings(data.source, data.target, data.lexicon), ::testing::IsEmpty());
  EXPECT_THAT(from_start.warnings(data.target, data.target, data.lexicon),
              ::testing::ElementsAre(::testing::HasSubstr("not the source vectors")));
}

TEST(AlignByName, ALexiconIsForMethodsThatTakeOne) {
  const SyntheticPair data = synthetic_pair();
  EXPECT_THROW(align(data.source, data.target, data.lexicon, {.method = "icp"}), UsageError);
  EXPECT_THROW(align(data.source, data.target, Lexicon(), {.method = "procrustes"}), UsageError);
}

}  // namespace
}  // namespace wordbridge::align_test
