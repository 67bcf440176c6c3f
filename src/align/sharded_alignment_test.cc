#include <gtest/gtest.h>

#include <algorithm>

#include "align/aligner_test_support.h"
#include "align/alignment_plan.h"
#include "align/sharded_tables.h"
#include "base/temporary_folder_test_support.h"
#include "parallel/communicator_test_support.h"
#include "vectors/sharded_vectors_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::sharded_alignment_test {

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

TEST(ShardedAlignment, TheMappingIsThatOfOneProcess) {
  const SyntheticPair data = dealt_problem();
  const TemporaryFolder folder;
  for (const AlignOptions& options : {training(), AlignOptions{.method = "procrustes", .normalization = "unit,center"},
                                      AlignOptions{.method = "vecmap"}, AlignOptions{.method = "mikolov"}}) {
    const AlignmentPlan plan(options);
    const std::string expected = bytes_of(plan.run(data.source, data.target, data.lexicon), folder, "one.wbmap");
    for (const int size : {1, 2, 3})
      run_ranks(size, [&](Communicator& communicator) {
        const Mapping mapping =
            plan.run(dealt_out(data.source, communicator), dealt_out(data.target, communicator), data.lexicon);
        EXPECT_EQ(bytes_of(mapping, folder, std::to_string(communicator.rank()) + ".wbmap"), expected)
            << options.method << ", " << size;
      });
  }
}

TEST(ShardedAlignment, TrainingGoesOnWithAnotherNumberOfProcesses) {
  const SyntheticPair data = dealt_problem();
  const TemporaryFolder folder;
  const AlignmentPlan plain(training());
  const std::string expected = bytes_of(plain.run(data.source, data.target, data.lexicon), folder, "one.wbmap");
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
                           plan.run(dealt_out(data.source, communicator), dealt_out(data.target, communicator),
                                    data.lexicon);
                         }),
               Stop);
  EXPECT_TRUE(folder.has("state/checkpoint.wbstate"));
  run_ranks(3, [&](Communicator& communicator) {
    const Mapping mapping =
        plan.run(dealt_out(data.source, communicator), dealt_out(data.target, communicator), data.lexicon);
    EXPECT_EQ(bytes_of(mapping, folder, std::to_string(communicator.rank()) + ".wbmap"), expected);
  });
  EXPECT_EQ(bytes_of(plan.run(data.source, data.target, data.lexicon), folder, "again.wbmap"), expected);
}

TEST(ShardedAlignment, WhatSeveralCannotShareIsRefused) {
  for (const AlignOptions& options :
       {AlignOptions{}, AlignOptions{.method = "rcsls"}, AlignOptions{.method = "unsupervised"},
        AlignOptions{.method = "procrustes", .options = {{"refine", 1}}},
        AlignOptions{.method = "procrustes", .options = {{"self-learn", true}}},
        AlignOptions{.method = "procrustes", .options = {{"rerank", true}}},
        AlignOptions{.method = "rcsls", .options = {{"init", "vecmap"}, {"learning-rate", 2}}}})
    EXPECT_THROW(AlignmentPlan(options).require_shardable(), UsageError);
  EXPECT_NO_THROW(AlignmentPlan(training()).require_shardable());
}

}  // namespace wordbridge::sharded_alignment_test
