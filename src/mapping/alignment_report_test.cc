#include "wordbridge/alignment_report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "wordbridge/error.h"

namespace wordbridge::alignment_report_test {
namespace {

using ::testing::ElementsAre;

/// All that a report can hold.
AlignmentReport full_report() {
  AlignmentReport report;
  report.warnings = {"take care"};
  report.selection = SelectionReport{"P@1", {{0, 0, 0, 50.0}, {0.1, 10, 0.25, std::nullopt}}, 0};
  report.iterations = {{{1, -0.25, 10, "accepted", 1.5}, {2, std::nan(""), 5, "diverged", std::nan("")}}};
  report.epoch_scores = {0.5, 1 / 3.0};
  report.start_errors = {1e-9};
  report.restarts = RestartReport{"criterion", 0.1, {{1, 0.1, 0.2, 0.3, 0.4}, {2, 0.1, 0.2, 0.3, 0.4, 12.5}}, 1};
  report.refinement = {{100, 7, 0.5}};
  report.self_learning = SelfLearningReport{5, {{10, 2, 0.25}}};
  report.choice = ChoiceReport{90, {{"a", 50, 0, 0, 1}, {"b", 60, 12, 3, 0.25}}, 1, 49.5, 70};
  report.other = R"({"later":[1,{"a":null}]})";
  return report;
}

TEST(AlignmentReport, IsWrittenAsFilesHoldIt) {
  EXPECT_EQ(to_json({}), "{}");
  EXPECT_EQ(to_json({.refinement = {{3, 1, 0.5}}}), R"({"refinement":[{"pairs":3,"kept":1,"mean_similarity":0.5}]})");
  EXPECT_EQ(to_json(full_report()),
            R"({"warnings":["take care"],"selection":{"score":"P@1","rows":[)"
            R"({"learning_rate":0.0,"epochs":0,"blend":0.0,"score":50.0},)"
            R"({"learning_rate":0.1,"epochs":10,"blend":0.25,"score":null}],"chosen":0},"iterations":[)"
            R"({"epoch":1,"loss":-0.25,"step":10.0,"outcome":"accepted","norm":1.5},)"
            R"({"epoch":2,"loss":null,"step":5.0,"outcome":"diverged","norm":null}],)"
            R"("epochs":[0.5,0.3333333333333333],"start_errors":[1e-09],"criterion":"criterion","chance":0.1,)"
            R"("restarts":[{"restart":1,"score":0.1,"refined":0.2,"agreement":0.3,"evidence":0.4},)"
            R"({"restart":2,"score":0.1,"refined":0.2,"agreement":0.3,"evidence":0.4,"validation":12.5}],)"
            R"("chosen_restart":1,"refinement":[{"pairs":100,"kept":7,"mean_similarity":0.5}],)"
            R"("self_learning":{"identical":5,"rounds":[{"pairs":10,"kept":2,"mean_similarity":0.25}]},)"
            R"("choice":{"words":90,"rows":[{"map":"a","score":50.0,"gained":0,"lost":0,"p_value":1.0},)"
            R"({"map":"b","score":60.0,"gained":12,"lost":3,"p_value":0.25}],"chosen":1,"expected":[49.5,70.0]},)"
            R"("later":[1,{"a":null}]})");
}

TEST(AlignmentReport, AMethodThatTrainsSaysThatItWarnsOfNothing) {
  EXPECT_EQ(to_json({.iterations = std::vector<TrainingStep>{}}), R"({"warnings":[],"iterations":[]})");
  EXPECT_EQ(to_json({.warnings = {"a"}, .refinement = {{3, 1, 0.5}}}),
            R"({"refinement":[{"pairs":3,"kept":1,"mean_similarity":0.5}],"warnings":["a"]})");
}

TEST(AlignmentReport, ComesBackAsItWas) {
  const std::string text = to_json(full_report());
  const AlignmentReport report = parse_report(text);
  EXPECT_EQ(to_json(report), text);
  EXPECT_THAT(report.warnings, ElementsAre("take care"));
  EXPECT_EQ(report.selection.value().rows.at(1).score, std::nullopt);
  EXPECT_EQ(report.iterations.value().at(0).loss, -0.25);
  EXPECT_TRUE(std::isnan(report.iterations.value().at(1).norm));
  EXPECT_THAT(report.epoch_scores, ElementsAre(0.5, 1 / 3.0));
  EXPECT_THAT(report.start_errors, ElementsAre(1e-9));
  EXPECT_EQ(report.self_learning.value().rounds.at(0).kept, 2u);
  EXPECT_EQ(report.choice.value().rows.at(1).gained, 12u);
  EXPECT_EQ(report.choice.value().expected_low, 49.5);
  EXPECT_EQ(report.restarts.value().tries.at(1).validation, 12.5);
  EXPECT_EQ(report.refinement.at(0).kept, 7u);
  EXPECT_EQ(report.other, R"({"later":[1,{"a":null}]})");
}

TEST(AlignmentReport, WhatIsNotAsWrittenHereSurvives) {
  for (const char* text :
       {R"({"a first":null,"b":{"c":[1,2.50,"x"]}})",
        R"({"iterations":[{"loss":-0.25,"accepted":true}],"a first":null})",  // other fields
        R"({"warnings":[],"iterations":[{"epoch":1,"loss":1,"step":1.0,"outcome":"accepted","norm":1.0}]})",
        R"({"warnings":[],"iterations":[{"epoch":1,"loss":1.0,"step":1.0,"outcome":"x","norm":1.0,"more":1}]})",
        R"({"selection":{"score":"x","rows":[],"chosen":0}})",  // no such row
        R"({"restarts":[],"chance":0.5})", R"({"chosen_restart":3})", R"({"epochs":[]})", R"({"epochs":"many"})",
        R"({"warnings":"take care"})", R"({"warnings":[1]})", R"({"refinement":{}})"}) {
    const AlignmentReport report = parse_report(text);
    EXPECT_EQ(to_json(report), std::string(text) == R"({"a first":null,"b":{"c":[1,2.50,"x"]}})"
                                   ? R"({"a first":null,"b":{"c":[1,2.5,"x"]}})"
                                   : std::string(text));
    EXPECT_NE(report.other, "{}");
  }
}

TEST(AlignmentReport, OnlyObjectsAreReports) {
  EXPECT_ANY_THROW(parse_report("[1]"));
  EXPECT_ANY_THROW(parse_report("{"));
  AlignmentReport report;
  for (const std::string& wrong : {std::string("[1]"), std::string("{"), std::string(),
                                   R"({"a":)" + std::string(200, '[') + std::string(200, ']') + "}"}) {
    report.other = wrong;
    EXPECT_THROW(to_json(report), UsageError) << wrong;
  }
}

TEST(AlignmentReport, WarningsAreAddedOnce) {
  AlignmentReport report{.warnings = {"a"}};
  report.add_warnings({"b", "a", "b"});
  EXPECT_THAT(report.warnings, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace wordbridge::alignment_report_test
