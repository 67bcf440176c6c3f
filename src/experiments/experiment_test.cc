#include "experiments/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::experiment_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kExample = R"({
  "name": "t", "title": "Table", "measure": "translation", "average": "avg.",
  "settings": {"source": "en", "test": "{source}-{target}.txt", "criterion": "nn", "train": "full.txt"},
  "columns": [{"name": "es", "target": "es"}, {"name": "de", "target": "de", "criterion": "csls"}],
  "rows": [{"name": "P", "align": "--method procrustes", "paper": [1, null], "paper_average": 1.5},
           {"name": "R", "criterion": "isf", "neighbors": 5, "no_identical": true},
           {"name": "cited", "only_paper": true, "paper": [3, 4]},
           {"name": "mean", "over": [{"source": "fr"}, {"source": "it"}]}],
  "sample": {"settings": {"train": "small.txt", "criterion": "nn"}, "columns": ["de"], "rows": ["R", "P"],
             "replace": {"--method procrustes": "--method quick"}}
})";

void expect_error(const std::string& json, const std::string& reason) {
  try {
    parse_experiment(json, "t.json");
    FAIL() << json;
  } catch (const InputError& error) {
    EXPECT_EQ(error.path(), "t.json");
    EXPECT_THAT(error.reason(), HasSubstr(reason));
  }
}

TEST(Experiment, LaterSettingsPrevail) {
  const Experiment experiment = parse_experiment(kExample, "t.json");
  EXPECT_EQ(experiment.name, "t");
  EXPECT_EQ(experiment.average, "avg.");
  EXPECT_THAT(
      experiment.cell(0, 1),
      ElementsAre(ElementsAre(Pair("align", "--method procrustes"), Pair("criterion", "csls"), Pair("source", "en"),
                              Pair("target", "de"), Pair("test", "{source}-{target}.txt"), Pair("train", "full.txt"))));
  const ExperimentSettings cell = experiment.cell(1, 1).front();
  EXPECT_EQ(cell.at("criterion"), "isf");
  EXPECT_EQ(cell.at("neighbors"), "5");
  EXPECT_EQ(cell.at("no_identical"), "true");
}

TEST(Experiment, CellsThatAreMeansAndThoseThatAreCited) {
  const Experiment experiment = parse_experiment(kExample, "t.json");
  EXPECT_THAT(experiment.cell(2, 0), IsEmpty());
  const auto means = experiment.cell(3, 0);
  ASSERT_EQ(means.size(), 2);
  EXPECT_EQ(means[0].at("source"), "fr");
  EXPECT_EQ(means[1].at("source"), "it");
  EXPECT_EQ(means[1].at("target"), "es");
}

TEST(Experiment, NumbersOfThePaper) {
  const Experiment experiment = parse_experiment(kExample, "t.json");
  EXPECT_THAT(experiment.rows[0].paper, ElementsAre(1, std::nullopt));
  EXPECT_EQ(experiment.rows[0].paper_average, 1.5);
  EXPECT_THAT(experiment.rows[1].paper, ElementsAre(std::nullopt, std::nullopt));
}

TEST(Experiment, Sample) {
  const Experiment experiment = parse_experiment(kExample, "t.json", true);
  ASSERT_EQ(experiment.columns.size(), 1);
  ASSERT_EQ(experiment.rows.size(), 2);
  EXPECT_EQ(experiment.rows[0].name, "R");
  EXPECT_EQ(experiment.rows[1].paper.size(), 1);
  EXPECT_FALSE(experiment.rows[1].paper[0]);
  EXPECT_FALSE(experiment.rows[1].paper_average);
  const ExperimentSettings cell = experiment.cell(1, 0).front();
  EXPECT_EQ(cell.at("train"), "small.txt");
  EXPECT_EQ(cell.at("criterion"), "nn");  // the column's went, too
  EXPECT_EQ(cell.at("align"), "--method quick");
}

TEST(Experiment, FilesAndFoldersOfThem) {
  const TemporaryFolder folder;
  for (const char* name : {"b.json", "a.json", "sources.json", "note.txt"}) folder.write(name, "{}");
  EXPECT_THAT(find_experiments({"x.json", folder.path(".")}),
              ElementsAre("x.json", folder.path("./a.json"), folder.path("./b.json")));
  const TemporaryFolder empty;
  EXPECT_THROW(find_experiments({empty.path(".")}), InputError);
}

TEST(Experiment, WrongFiles) {
  expect_error("{", "not an experiment");
  expect_error("[]", "an object is wanted");
  expect_error("{}", "no text 'name'");
  expect_error(R"({"name": "a", "title": "b", "measure": "c"})", "measure must be");
  expect_error(R"({"name": "a", "title": "b", "measure": "analogy"})", "no list 'columns'");
  const std::string begin = R"({"name": "a", "title": "b", "measure": "analogy", "columns": [{"name": "x"}], )";
  expect_error(begin + R"("rows": []})", "no list 'rows'");
  expect_error(begin + R"("rows": [{"name": "y", "criteron": "nn"}]})", "unknown setting 'criteron'");
  expect_error(begin + R"("rows": [{"name": "y", "paper": [1, 2]}]})", "2 numbers of the paper for 1 columns");
  expect_error(begin + R"("rows": [{"name": "y", "paper": ["x"]}]})", "a number of 'y' is none");
  expect_error(begin + R"("rows": [{"name": "y", "train": []}]})", "must be a text");
  EXPECT_THROW(read_experiment("/nonexistent.json"), IoError);
}

TEST(Experiment, Expand) {
  const ExperimentSettings settings = {{"source", "en"}, {"target", "es"}};
  EXPECT_EQ(expand("wiki.{source}.vec", settings), "wiki.en.vec");
  EXPECT_EQ(expand("{source}-{target}.txt", settings), "en-es.txt");
  EXPECT_EQ(expand("plain", settings), "plain");
  EXPECT_EQ(expand("{open", settings), "{open");
  EXPECT_THROW(expand("{nobody}", settings), UsageError);
}

// Those that come with wordbridge: one for each table and figure of the paper, each with a version for the sample.
TEST(Experiment, TheOnesOfThePaperCanBeRead) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WORDBRIDGE_SOURCE_DIR "/experiments")) {
    if (entry.path().filename() == "sources.json" || entry.path().extension() != ".json") continue;
    const Experiment whole = read_experiment(entry.path().string());
    const Experiment sample = read_experiment(entry.path().string(), true);
    EXPECT_EQ(whole.name, entry.path().stem());
    EXPECT_LT(sample.rows.size() * sample.columns.size(), whole.rows.size() * whole.columns.size()) << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 15);
}

// The full dictionaries of MUSE contain the words of the test, which must not be learned from.
TEST(Experiment, FullLexiconsOfThePaperLeaveOutTheTest) {
  for (const char* name : {"aligned-vectors", "exact-matches", "analogies", "similarities", "english-analogies"}) {
    const Experiment experiment = read_experiment(std::string(WORDBRIDGE_SOURCE_DIR "/experiments/") + name + ".json");
    std::size_t full = 0;
    for (std::size_t i = 0; i < experiment.rows.size(); ++i)
      for (std::size_t j = 0; j < experiment.columns.size(); ++j)
        for (const ExperimentSettings& cell : experiment.cell(i, j)) {
          if (!cell.contains("train") || cell.at("train") != "{source}-{target}.txt") continue;
          ASSERT_TRUE(cell.contains("train_without")) << name;
          EXPECT_EQ(cell.at("train_without"), "{source}-{target}.5000-6500.txt");
          ++full;
        }
    EXPECT_GT(full, 0) << name;
  }
}

}  // namespace
}  // namespace wordbridge::experiment_test
