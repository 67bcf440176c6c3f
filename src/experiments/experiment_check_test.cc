#include "experiments/experiment_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "wordbridge/error.h"

namespace wordbridge::experiment_check_test {
namespace {

using ::testing::HasSubstr;

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
}  // namespace wordbridge::experiment_check_test
