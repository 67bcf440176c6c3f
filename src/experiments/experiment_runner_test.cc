#include "experiments/experiment_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/experiments_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::experiment_runner_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Experiment experiment(const std::string& rows, const std::string& columns = R"([{"name": "es", "target": "es"}])") {
  return parse_experiment(R"({"name": "t", "title": "Table", "measure": "translation",
      "settings": {"source_vectors": "en.vec", "target_vectors": "{target}.vec", "train": "train.txt",
                   "test": "test.txt", "align": "--method procrustes"},
      "columns": )" + columns +
                              R"(, "rows": )" + rows + "}",
                          "t.json");
}

struct ExperimentRunnerTest : ::testing::Test {
  ExperimentResult run(const Experiment& what) { return run_experiment(what, files, cache, {.observer = &observer}); }

  ExperimentFolder folder;
  DataFiles files = folder.files();
  ResultCache cache{folder.cache(), false};
  RememberingObserver observer;
};

TEST_F(ExperimentRunnerTest, FillsTheCellsAndTellsOfIt) {
  const ExperimentResult result = run(
      experiment(R"([{"name": "NN", "criterion": "nn"}, {"name": "CSLS"}, {"name": "cited", "only_paper": true}])"));
  ASSERT_THAT(result.cells, SizeIs(3));
  EXPECT_EQ(result.cells[0][0].value, 100);
  EXPECT_EQ(result.cells[1][0].coverage, "15 of 15 source words");
  EXPECT_EQ(result.cells[2][0].wanted, 0);
  EXPECT_THAT(result.reasons, IsEmpty());
  ASSERT_THAT(result.mappings, SizeIs(1));
  EXPECT_EQ(result.mappings[0].name, "t: NN, es");
  EXPECT_THAT(result.mappings[0].hubness, IsEmpty()) << "nobody asked for it";
  EXPECT_THAT(observer.cells, ElementsAre("t: NN, es: 100.0", "t: CSLS, es: 100.0"));
}

TEST_F(ExperimentRunnerTest, NobodyNeedsToWatch) {
  EXPECT_EQ(run_experiment(experiment(R"([{"name": "CSLS"}])"), files, cache).measured(), 1);
}

TEST_F(ExperimentRunnerTest, GoesOnWhereSomethingIsMissing) {
  const ExperimentResult result =
      run(experiment(R"([{"name": "good"}, {"name": "bad", "align": "--method telepathy"}])",
                     R"([{"name": "es", "target": "es"}, {"name": "xx", "target": "xx"}])"));
  EXPECT_EQ(result.measured(), 1);
  EXPECT_EQ(result.wanted(), 4);
  ASSERT_EQ(result.reasons.size(), 2);
  EXPECT_THAT(result.reasons[0].text, HasSubstr("bad, es: --method: 'telepathy' is none of"));
  EXPECT_EQ(result.reasons[0].missing_file, "");
  EXPECT_EQ(result.reasons[1].text, "missing: xx.vec");
  EXPECT_EQ(result.reasons[1].missing_file, "xx.vec");
}

TEST_F(ExperimentRunnerTest, MeansOverWhatThereIs) {
  const Experiment mean = experiment(
      R"([{"name": "mean", "over": [{"test": "test.txt"}, {"test": "half.txt"}, {"test": "missing.txt"}]}])");
  folder.folder().write("half.txt", "e30 s30\ne31 s0\n");
  files = folder.files();
  const ExperimentResult::Cell cell = run(mean).cells[0][0];
  EXPECT_EQ(cell.value, 75);
  EXPECT_EQ(cell.measured, 2);
  EXPECT_EQ(cell.wanted, 3);
  EXPECT_EQ(cell.coverage, "2 of 3 measurements");
}

TEST_F(ExperimentRunnerTest, SeveralShareTheVectors) {
  ExperimentRunner runner(files, cache, {.hubness = true, .observer = &observer});
  runner.run(experiment(R"([{"name": "a"}])"));
  const ExperimentResult second = runner.run(experiment(R"([{"name": "b", "criterion": "nn"}])"));
  EXPECT_THAT(observer.read, ElementsAre("en.vec", "es.vec"));
  EXPECT_THAT(observer.mappings, SizeIs(1));
  ASSERT_THAT(second.mappings, SizeIs(1));
  EXPECT_THAT(second.mappings[0].hubness, SizeIs(2));
}

TEST_F(ExperimentRunnerTest, CanBeCancelled) {
  Context context({.threads = 1});
  const Context::Scope scope(context);
  context.cancel();
  EXPECT_THROW(run(experiment(R"([{"name": "CSLS"}])")), Cancelled);
}

TEST_F(ExperimentRunnerTest, ProgressIsThatOfTheContext) {
  struct Seen : Progress {
    void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) override {
      if (stage == "t") updates.push_back(std::to_string(done) + "/" + std::to_string(total) + " " + std::string(note));
    }
    void finish(std::string_view stage) override { finished |= stage == "t"; }
    std::vector<std::string> updates;
    bool finished = false;
  } seen;
  Context context({.threads = 1, .progress = &seen});
  const Context::Scope scope(context);
  run(experiment(R"([{"name": "NN", "criterion": "nn"}, {"name": "CSLS"}])"));
  EXPECT_THAT(seen.updates, ElementsAre("0/2 NN, es", "1/2 CSLS, es"));
  EXPECT_TRUE(seen.finished);
}

}  // namespace
}  // namespace wordbridge::experiment_runner_test
