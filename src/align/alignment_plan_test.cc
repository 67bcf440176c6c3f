#include "align/alignment_plan.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "align/aligner_test_support.h"
#include "base/option_error.h"
#include "base/temporary_folder_test_support.h"
#include "mapping/mapping_format.h"
#include "mapping/stored_lexicon.h"
#include "parallel/communicator_test_support.h"
#include "vectors/sharded_vectors_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::alignment_plan_test {
namespace {

/// What the error of a plan says; empty where there is none.
std::string error_of(const AlignOptions& options) {
  try {
    const AlignmentPlan plan(options);
  } catch (const UsageError& error) {
    return command_line_text(error);
  }
  return {};
}

TEST(AlignmentPlans, RefinesWithAnotherMethod) {
  const SyntheticPair data = synthetic_pair();
  const Mapping mapping =
      align(data.source, data.target, data.lexicon,
            {.method = "procrustes", .options = {{"refine", 2}, {"refine-with", "mikolov"}, {"ridge", 0.5}}});
  EXPECT_EQ(mapping.provenance.method, "procrustes+refine");
  EXPECT_EQ(mapping.provenance.options.at("refine"), "2");
  EXPECT_EQ(mapping.provenance.options.at("refine_with"), "least-squares");
  EXPECT_EQ(mapping.provenance.report.refinement.size(), 2u);
}

TEST(AlignmentPlans, StartsFromAMapping) {
  const TemporaryFolder folder;
  const SyntheticPair data = synthetic_pair();
  const std::string path = folder.path("start.wbmap");
  write_mapping(align(data.source, data.target, data.lexicon, {.method = "vecmap"}), path);
  const AlignOptions options{.method = "rcsls", .options = {{"init", path}, {"learning-rate", 1}}};
  const AlignmentPlan plan(options);
  ASSERT_NE(plan.start(), nullptr);
  EXPECT_THAT(plan.inputs(), ::testing::ElementsAre(path));
  const Mapping mapping = plan.run(plan.prepare(data.source, data.target, data.lexicon));
  EXPECT_EQ(mapping.normalizer(Side::source).name(), "unit,center,unit");
  EXPECT_EQ(mapping.target_map(), plan.start()->target_map());
  AlignOptions other = options;
  other.normalization = "unit";
  EXPECT_THAT(error_of(other), ::testing::HasSubstr("learned after 'unit,center,unit'"));
}

TEST(AlignmentPlans, WrongOptionsAreRefusedBeforeThereAreVectors) {
  const std::vector<std::pair<AlignOptions, std::string>> cases = {
      {{.method = "best"}, "--method: 'best' is none of auto, rcsls"},
      {{.options = {{"lerning-rate", 1}}}, "unknown option 'lerning-rate'; did you mean --learning-rate?"},
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

TEST(AlignmentPlans, WarnsOfWhatIsUnlikelyToWork) {
  const TemporaryFolder folder;
  const SyntheticPair data = synthetic_pair();
  const AlignmentPlan plan({.method = "procrustes"});
  EXPECT_THAT(plan.warnings(plan.prepare(data.source, data.target, data.lexicon)), ::testing::IsEmpty());
  const Lexicon small({data.lexicon.pairs()[0]});
  EXPECT_THAT(plan.warnings(plan.prepare(data.source, data.target, small)),
              ::testing::ElementsAre(::testing::HasSubstr("1 distinct words of the lexicon cannot settle a map")));
  const AlignmentPlan icp({.method = "icp"});
  EXPECT_THAT(icp.warnings(icp.prepare(data.source, data.target, Lexicon())), ::testing::IsEmpty());
  const std::string path = folder.path("start.wbmap");
  write_mapping(align(data.source, data.target, data.lexicon, {.method = "procrustes"}), path);
  const AlignmentPlan from_start({.method = "rcsls", .options = {{"init", path}}});
  EXPECT_THAT(from_start.warnings(from_start.prepare(data.source, data.target, data.lexicon)), ::testing::IsEmpty());
  EXPECT_THAT(from_start.warnings(from_start.prepare(data.target, data.target, data.lexicon)),
              ::testing::ElementsAre(::testing::HasSubstr("not the source vectors")));
}

/// Two blocks of words; some have no vector, and some pairs have one of these words or another weight.
SyntheticPair dealt_problem() {
  SyntheticPair data =
      synthetic_pair({.words = kShardRows + 2000, .source_dimension = 5, .target_dimension = 5, .noise = 0.2});
  std::vector<Lexicon::Pair> pairs;
  for (WordId i = 0; i < 3000; i += 2) pairs.push_back({9600 - 3 * i, i, i % 5 == 0 ? 2.0 : 1.0});
  std::ranges::fill(data.target.table().row(200), 0.0f);
  data.lexicon = Lexicon(std::move(pairs));
  return data;
}

AlignOptions training() {
  return {.method = "rcsls",
          .options = {{"learning-rate", 1}, {"epochs", 2}, {"neighbors", 4}, {"max-negatives", 10000}}};
}

std::string bytes_of(const Mapping& mapping, const TemporaryFolder& folder, const std::string& name) {
  write_mapping(mapping, folder.path(name));
  return folder.read(name);
}

TEST(AlignmentPlans, SeveralProcessesGetTheMappingOfOne) {
  const SyntheticPair data = dealt_problem();
  const TemporaryFolder folder;
  for (const AlignOptions& options : {training(), AlignOptions{.method = "procrustes", .normalization = "unit,center"},
                                      AlignOptions{.method = "vecmap"}, AlignOptions{.method = "mikolov"}}) {
    const AlignmentPlan plan(options);
    const std::string expected =
        bytes_of(plan.run(plan.prepare(data.source, data.target, data.lexicon)), folder, "one.wbmap");
    for (const int size : {1, 2, 3})
      run_ranks(size, [&](Communicator& communicator) {
        const Mapping mapping =
            plan.run(plan.prepare(shard(data.source, communicator), shard(data.target, communicator), data.lexicon));
        EXPECT_EQ(bytes_of(mapping, folder, std::to_string(communicator.rank()) + ".wbmap"), expected)
            << options.method << ", " << size;
      });
  }
}

TEST(AlignmentPlans, TrainingGoesOnWithAnotherNumberOfProcesses) {
  const SyntheticPair data = dealt_problem();
  const TemporaryFolder folder;
  const AlignmentPlan plain(training());
  const std::string expected =
      bytes_of(plain.run(plain.prepare(data.source, data.target, data.lexicon)), folder, "one.wbmap");
  // Two processes are stopped at their second epoch; three go on, and then one looks at what there is.
  AlignOptions options = training();
  options.options.insert({{"checkpoint", folder.path("state")}, {"resume", true}});
  const AlignmentPlan plan(options);
  struct Stop {};
  class StopsAtTheSecond final : public Progress {
   public:
    void update(std::string_view stage, std::uint64_t done, std::uint64_t, std::string_view) override {
      if (stage == "training" && done == 1) throw Stop{};
    }
    void finish(std::string_view) override {}
  };
  EXPECT_THROW(run_ranks(2,
                         [&](Communicator& communicator) {
                           StopsAtTheSecond progress;
                           Context context({.threads = 1, .progress = &progress});
                           const Context::Scope scope(context);
                           plan.run(plan.prepare(shard(data.source, communicator), shard(data.target, communicator),
                                                 data.lexicon));
                         }),
               Stop);
  EXPECT_TRUE(folder.has("state/checkpoint.wbstate"));
  run_ranks(3, [&](Communicator& communicator) {
    const Mapping mapping =
        plan.run(plan.prepare(shard(data.source, communicator), shard(data.target, communicator), data.lexicon));
    EXPECT_EQ(bytes_of(mapping, folder, std::to_string(communicator.rank()) + ".wbmap"), expected);
  });
  EXPECT_EQ(bytes_of(plan.run(plan.prepare(data.source, data.target, data.lexicon)), folder, "again.wbmap"), expected);
}

TEST(AlignmentPlans, WhatSeveralCannotShareIsRefused) {
  for (const AlignOptions& options :
       {AlignOptions{}, AlignOptions{.method = "rcsls"}, AlignOptions{.method = "unsupervised"},
        AlignOptions{.method = "procrustes", .options = {{"refine", 1}}},
        AlignOptions{.method = "procrustes", .options = {{"self-learn", true}}},
        AlignOptions{.method = "procrustes", .options = {{"rerank", true}}},
        AlignOptions{.method = "rcsls", .options = {{"init", "vecmap"}, {"learning-rate", 2}}}})
    EXPECT_THROW(AlignmentPlan(options).require_shardable(), UsageError);
  EXPECT_NO_THROW(AlignmentPlan(training()).require_shardable());
}

TEST(AlignmentPlans, TheMappingCarriesItsLexicon) {
  const SyntheticPair data = synthetic_pair();
  std::vector<Lexicon::Pair> pairs(data.lexicon.pairs().begin(), data.lexicon.pairs().end());
  pairs[0].weight = 0;
  pairs[1].weight = 0.5;
  Lexicon lexicon(pairs);
  lexicon.set_outside({{"New York", "Nueva York", 1}, {"weightless", "nada", 0}});
  const Mapping mapping = align(data.source, data.target, lexicon, {.method = "procrustes"});
  ASSERT_NE(mapping.lexicon, nullptr);
  const auto& carried = mapping.lexicon->pairs;
  ASSERT_EQ(carried.size(), pairs.size()) << "without the two of weight 0, with one outside";
  EXPECT_EQ(carried[0].source, data.source.vocabulary()[pairs[1].source]);
  EXPECT_EQ(carried[0].target, data.target.vocabulary()[pairs[1].target]);
  EXPECT_EQ(carried[0].weight, 0.5);
  EXPECT_EQ(carried.back(), (StoredLexicon::Pair{"New York", "Nueva York"}));
  lexicon.set_guess(true);
  EXPECT_EQ(align(data.source, data.target, lexicon, {.method = "procrustes"}).lexicon, nullptr);
}

TEST(AlignmentPlans, TheLexiconStaysAtHome) {
  const SyntheticPair data = synthetic_pair();
  const Mapping mapping =
      align(data.source, data.target, data.lexicon, {.method = "procrustes", .options = {{"no-lexicon", true}}});
  EXPECT_EQ(mapping.lexicon, nullptr);
  EXPECT_EQ(mapping.provenance.options.at("no_lexicon"), "true");
  EXPECT_THAT(error_of({.method = "wasserstein", .options = {{"no-lexicon", true}}}),
              ::testing::HasSubstr("methods with a lexicon"));
}

}  // namespace
}  // namespace wordbridge::alignment_plan_test
