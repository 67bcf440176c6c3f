#include "experiments/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

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

Experiment good() {
  Experiment experiment;
  experiment.path = "t.json";
  experiment.name = "t";
  experiment.title = "Table";
  experiment.measure = "translation";
  experiment.settings = {{"source_vectors", "en.vec"},
                         {"target_vectors", "{target}.vec"},
                         {"test", "test.txt"},
                         {"train", "train.txt"},
                         {"align", "--method procrustes"}};
  experiment.columns = {{.name = "es", .settings = {{"target", "es"}}}, {.name = "de", .settings = {{"target", "de"}}}};
  experiment.rows = {{.name = "NN", .settings = {{"criterion", "nn"}}}, {.name = "CSLS"}};
  return experiment;
}

/// The error after a change; empty: there is none.
std::string error_after(const std::function<void(Experiment&)>& change) {
  Experiment experiment = good();
  change(experiment);
  try {
    check_shape(experiment);
    check_settings(experiment);
  } catch (const InputError& error) {
    EXPECT_EQ(error.path(), "t.json");
    return error.reason();
  }
  return "";
}

std::string error_of_setting(const std::string& name, const std::string& value) {
  return error_after([&](Experiment& experiment) { experiment.rows[1].settings[name] = value; });
}

TEST(ExperimentCheck, WhatIsGoodPasses) {
  EXPECT_EQ(error_after([](Experiment&) {}), "");
  EXPECT_EQ(error_of_setting("neighbors", "1"), "");
  EXPECT_EQ(error_of_setting("neighbors", "1048576"), "");
  EXPECT_EQ(error_of_setting("criterion", "own"), "");
  EXPECT_EQ(error_of_setting("align", "none"), "");
  EXPECT_EQ(error_of_setting("align", "import @W.txt --target-matrix=@V.txt"), "");
  EXPECT_EQ(error_of_setting("align", "--method rcsls --init @start.wbmap --learning-rate 10"), "");
  EXPECT_EQ(error_of_setting("only_paper", "true"), "");
}

TEST(ExperimentCheck, SettingsNameTheirCell) {
  EXPECT_EQ(error_of_setting("neighbors", "0"),
            "row 'CSLS', column 'es': the setting 'neighbors' must be a number from 1 to 1048576, not 0");
  EXPECT_THAT(error_of_setting("max_words", "x"), HasSubstr("must be a whole number"));
  EXPECT_THAT(error_of_setting("max_words", "-5"), HasSubstr("must be a whole number"));
  EXPECT_THAT(error_of_setting("train_wrong", "101"), HasSubstr("from 0 to 100"));
  EXPECT_THAT(error_of_setting("scale", "99999999999"), HasSubstr("from 1 to 1000000"));
  EXPECT_THAT(error_of_setting("correlation", "kendall"), HasSubstr("spearman or pearson"));
  EXPECT_THAT(error_of_setting("part", "all"), HasSubstr("semantic or syntactic or total"));
  EXPECT_THAT(error_of_setting("space", "outer"), HasSubstr("original or aligned"));
  EXPECT_THAT(error_of_setting("reversed", "yes"), HasSubstr("true or false"));
  EXPECT_THAT(error_of_setting("criterion", "luck"), HasSubstr("luck"));
  EXPECT_THAT(error_of_setting("test", "{nobody}"), HasSubstr("names the setting 'nobody'"));
  EXPECT_THAT(error_of_setting("test", ""), HasSubstr("the setting 'test' is missing"));
  EXPECT_THAT(error_of_setting("align", "--method telepathy"), HasSubstr("telepathy"));
  EXPECT_THAT(error_of_setting("align", "--refine-with rcsls"), HasSubstr("--refine N is needed"));
  EXPECT_THAT(error_of_setting("align", "import /etc/passwd"), HasSubstr("with an @ before it"));
  EXPECT_THAT(error_of_setting("align", "import"), HasSubstr("import takes one matrix"));
}

TEST(ExperimentCheck, Sizes) {
  EXPECT_EQ(error_after([](Experiment& e) { e.rows.assign(50'001, e.rows[1]); }),
            "50001 rows and 2 columns: more than 100000 cells");
  EXPECT_EQ(error_after([](Experiment& e) { e.over.assign(25'001, {}); }), "more than 100000 measurements");
  EXPECT_EQ(error_after([](Experiment& e) { e.over.assign(25'000, {}); }), "");
  EXPECT_THAT(error_after([](Experiment& e) { e.title.assign(10'001, 'x'); }), HasSubstr("a title of more than"));
  EXPECT_THAT(error_after([](Experiment& e) { e.columns[0].name.assign(201, 'x'); }), HasSubstr("more than 200 bytes"));
  EXPECT_THAT(error_of_setting("source", std::string(1001, 'x')), HasSubstr("a setting of more than 1000 bytes"));
  for (const char* control : {"\x1b[2J", "\a", "\x7f", "\xc2\x9b"})
    EXPECT_THAT(error_after([&](Experiment& e) { e.rows[0].name = control; }), HasSubstr("control character"));
}

TEST(ExperimentCheck, FiguresAreDrawnOverNumbers) {
  const auto with_columns = [](const char* one, const char* other, bool logarithmic) {
    return error_after([&](Experiment& experiment) {
      experiment.figure = Experiment::Figure{"x", "y", logarithmic};
      experiment.columns[0].name = one;
      experiment.columns[1].name = other;
    });
  };
  EXPECT_EQ(with_columns("100", "2.5e3", true), "");
  EXPECT_EQ(with_columns("-1", "0", false), "");
  EXPECT_THAT(with_columns("1", "0", true), HasSubstr("the name '0' is no number above 0"));
  for (const char* none : {"es", "", "1 2", "nan", "inf", "1e999", "0x10", " 1"})
    EXPECT_THAT(with_columns("1", none, false), HasSubstr("is no number")) << none;
}

}  // namespace

}  // namespace wordbridge::experiment_test
