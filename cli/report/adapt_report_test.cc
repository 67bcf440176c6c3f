#include "cli/report/adapt_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::adapt_report_test {
namespace {

using testing::HasSubstr;

AdaptReport small_report() {
  AdaptReport report;
  report.rows = {{"ridge", "lambda 0.1", 12, 40, 30.5, 50.25, 20, 30, 0.00001, 1},
                 {"contrastive", "temperature 0.05", 12, 60, 50, 70, 22, 41, 1, 2.5}};
  report.chosen = 1;
  report.pairs = 900;
  report.tuned_on = 100;
  report.compared_on = 101;
  report.ranked_among = 1000;
  report.neighbors = 10;
  return report;
}

TEST(AdaptReportTest, MarksTheChosenMap) {
  EXPECT_EQ(adapt_table(small_report()).to_csv(),
            ",map,settings,parameters,own first,95% interval,old 10 kept,criterion,p,seconds\n"
            ",ridge,lambda 0.1,12,40.0,30.5 to 50.2,20.0,30.0,<0.0001,1.0\n"
            "*,contrastive,temperature 0.05,12,60.0,50.0 to 70.0,22.0,41.0,1.0000,2.5\n");
}

TEST(AdaptReportTest, SaysWhatWasMeasuredOnWhat) {
  const std::string note = adapt_note(small_report());
  EXPECT_THAT(note, HasSubstr("101 held-out pairs"));
  EXPECT_THAT(note, HasSubstr("among 1000 items"));
  EXPECT_THAT(note, HasSubstr("900 pairs"));
}

TEST(AdaptReportTest, TheCurveSaysWhatMorePairsWouldBring) {
  AdaptReport report = small_report();
  EXPECT_THAT(curve_note(report), HasSubstr("too few"));
  report.curve = {{100, 40, 30, 50, 20}, {200, 52.25, 42, 60, 25}};
  EXPECT_THAT(curve_note(report), HasSubstr("+12.2 points"));
  EXPECT_EQ(curve_table(report).to_csv(),
            "pairs,own first,95% interval,old 10 kept\n"
            "100,40.0,30.0 to 50.0,20.0\n"
            "200,52.2,42.0 to 60.0,25.0\n");
}

TEST(AdaptReportTest, IsForProgramsToo) {
  const std::string json = adapt_json(small_report());
  EXPECT_THAT(json, HasSubstr("\"chosen\": \"contrastive\""));
  EXPECT_THAT(json, HasSubstr("\"own_first\": 60.0"));
}

}  // namespace
}  // namespace wordbridge::adapt_report_test
