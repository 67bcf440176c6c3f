#include "experiments/experiment_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/experiments_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::experiment_runner_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct CellMeasurerTest : ::testing::Test {
  CellSettings settings(ExperimentSettings more) {
    more.insert({{"source_vectors", "en.vec"},
                 {"target_vectors", "es.vec"},
                 {"train", "train.txt"},
                 {"test", "test.txt"},
                 {"align", "--method procrustes"}});
    return CellSettings(std::move(more));
  }
  std::string error_of(const std::string& measure, const CellSettings& cell) {
    try {
      measurer.measure(measure, cell, "cell");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  ExperimentFolder folder;
  DataFiles files = folder.files();
  ResultCache cache{folder.cache(), false};
  RememberingObserver observer;
  CellMeasurer measurer{files, cache, true, observer};
};

TEST_F(CellMeasurerTest, Translation) {
  for (const char* criterion : {"nn", "csls"}) {
    const Measurement measurement = measurer.measure("translation", settings({{"criterion", criterion}}), "t: one, a");
    EXPECT_EQ(measurement.value, 100);
    EXPECT_EQ(measurement.coverage, "15 of 15 source words");
  }
  measurer.measure("translation", settings({{"neighbors", "5"}}), "other k");
  EXPECT_THAT(observer.read, ElementsAre("en.vec", "es.vec")) << "the mapping and all measures share what was read";
  const std::vector<MeasuredMapping> mappings = measurer.take_mappings();
  ASSERT_THAT(mappings, SizeIs(1));
  EXPECT_EQ(mappings[0].name, "t: one, a");
  EXPECT_EQ(mappings[0].provenance.method, "procrustes");
  EXPECT_THAT(mappings[0].translations, SizeIs(2));
  EXPECT_EQ(mappings[0].translations.at("nn").words, 15);
  ASSERT_THAT(mappings[0].hubness, SizeIs(2));
  EXPECT_EQ(mappings[0].hubness[1].criterion, "csls");
  EXPECT_THAT(measurer.take_mappings(), IsEmpty());
}

TEST_F(CellMeasurerTest, WhatIsInTheCacheIsNotMeasuredAgain) {
  measurer.measure("translation", settings({}), "cell");
  RememberingObserver nothing;
  CellMeasurer again(files, cache, true, nothing);
  EXPECT_EQ(again.measure("translation", settings({}), "cell").value, 100);
  EXPECT_THAT(nothing.read, IsEmpty());
  EXPECT_THAT(again.take_mappings().front().hubness, SizeIs(2));
}

TEST_F(CellMeasurerTest, DamagedRecordsAreMeasuredAgain) {
  measurer.measure("translation", settings({}), "cell");
  for (const auto& entry : std::filesystem::directory_iterator(folder.cache()))
    if (entry.path().extension() == ".json")
      folder.folder().write("cache/" + entry.path().filename().string(), "{\"words\": 3}");
  EXPECT_EQ(measurer.measure("translation", settings({}), "cell").value, 100);
}

TEST_F(CellMeasurerTest, ReversedAndWithoutAMapping) {
  const CellSettings back =
      settings({{"source_vectors", "es.vec"}, {"target_vectors", "en.vec"}, {"reversed", "true"}});
  EXPECT_EQ(measurer.measure("translation", back, "cell").value, 100);
  measurer.take_mappings();
  const Measurement same = measurer.measure(
      "translation", settings({{"align", "none"}, {"test", "same.txt"}, {"target_vectors", "en.vec"}}), "cell");
  EXPECT_EQ(same.value, 100);
  EXPECT_THAT(measurer.take_mappings(), IsEmpty());
}

TEST_F(CellMeasurerTest, Analogies) {
  // e2 - e0 + e1 is no word's vector: words that are made to fit.
  folder.folder().write("plane.vec", "5 2\na 1 0\nb 0 1\nc 3 0\nd 2 1\nfar -1 -1\n");
  folder.folder().write("one.txt", ": family\na b c d\n");
  folder.folder().write("two.txt", ": gram1\na b c d\na b c nobody\n");
  files = folder.files();
  const auto measured = [&](const char* part) {
    return measurer.measure(
        "analogy", settings({{"source_vectors", "plane.vec"}, {"questions", "one.txt two.txt"}, {"part", part}}),
        "cell");
  };
  EXPECT_EQ(measured("total").coverage, "2 of 3 questions");
  EXPECT_EQ(measured("semantic").value, 100);
  EXPECT_EQ(measured("syntactic").coverage, "1 of 2 questions");
  EXPECT_THROW(measured("other"), UsageError);
}

TEST_F(CellMeasurerTest, Similarity) {
  folder.folder().write("plane.vec", "3 2\na 1 0\nb 0 1\nc 1 1\n");
  folder.folder().write("set.tsv", "a\tb\t1\na\tc\t2\na\ta\t3\na\tx\t4\n");
  folder.folder().write("pairs.tsv", "e0\ts0\t9\ne0\ts1\t1\n");
  files = folder.files();
  const Measurement one = measurer.measure(
      "similarity", settings({{"source_vectors", "plane.vec"}, {"set", "set.tsv"}, {"scale", "100"}}), "cell");
  EXPECT_DOUBLE_EQ(one.value, 100);
  EXPECT_EQ(one.coverage, "3 of 4 pairs");
  EXPECT_THAT(observer.mappings, IsEmpty());
  const Measurement two =
      measurer.measure("similarity", settings({{"set", "pairs.tsv"}, {"cross_lingual", "true"}}), "cell");
  EXPECT_DOUBLE_EQ(two.value, 1);
  EXPECT_THAT(observer.mappings, ElementsAre("procrustes"));
}

TEST_F(CellMeasurerTest, WhatCannotBeMeasured) {
  EXPECT_THROW(measurer.measure("translation", settings({{"test", "xx.txt"}}), "cell"), MissingFile);
  EXPECT_THAT(error_of("translation", settings({{"criterion", "luck"}})), HasSubstr("luck"));
  EXPECT_THAT(error_of("translation", settings({{"neighbors", "x"}})), HasSubstr("'neighbors' must be a whole number"));
  EXPECT_THAT(error_of("beauty", settings({})), HasSubstr("no measure 'beauty'"));
  folder.folder().write("set.tsv", "no\tword\t1\nsuch\tword\t2\n");
  files = folder.files();
  EXPECT_THAT(error_of("similarity", settings({{"set", "set.tsv"}})), HasSubstr("too few pairs"));
}

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
