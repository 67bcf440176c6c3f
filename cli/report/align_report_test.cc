#include "cli/report/align_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::cli::align_report_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(AlignReport, Intervals) {
  // By hand: p = 0.5, n = 100, z = 1.96: (0.5 + 0.0192 -+ 0.0999) / 1.0384.
  EXPECT_NEAR(wilson_interval(50, 100).low, 40.38, 0.01);
  EXPECT_NEAR(wilson_interval(50, 100).high, 59.62, 0.01);
  EXPECT_NEAR(wilson_interval(0, 10).low, 0, 1e-9);
  EXPECT_NEAR(wilson_interval(100, 10).high, 100, 1e-9);
  EXPECT_EQ(wilson_interval(0, 0).high, 100);
}

AlignmentReport report_of(std::size_t chosen, std::size_t words) {
  AlignmentReport report;
  report.selection = {
      "P@1 by CSLS of 100 validation words", {{0, 0, 0, 40.0}, {25, 10, 0.5, 50.0}, {50, 1, 1, {}}}, chosen, words};
  return report;
}

TEST(AlignReport, TellsWhatTrainingBrought) {
  EXPECT_THAT(report_lines(report_of(1, 100), false),
              ElementsAre("P@1 of 100 words held out: 40.0 at the start, 50.0 (40.4 to 59.6) with learning rate 25, 10 "
                          "epochs, blend 0.5"));
  EXPECT_THAT(report_lines(report_of(0, 100), false),
              ElementsAre(HasSubstr("40.0 (30.9 to 49.8) with the start itself: no training was better")));
  EXPECT_THAT(report_lines(report_of(1, 0), false), ElementsAre(HasSubstr("40.0000 at the start, 50.0000 with")));
}

TEST(AlignReport, TheTableIsForThoseWhoAsk) {
  const auto lines = report_lines(report_of(1, 100), true);
  EXPECT_THAT(lines, SizeIs(1 + 2 + 3 + 1));
  EXPECT_EQ(lines[0], "settings tried, by P@1 by CSLS of 100 validation words:");
  EXPECT_THAT(lines[4], HasSubstr("chosen"));
  EXPECT_THAT(lines[5], HasSubstr("diverged"));
}

}  // namespace
}  // namespace wordbridge::cli::align_report_test
