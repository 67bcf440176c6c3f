#include "cli/report/experiment_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/experiments_test_support.h"

namespace wordbridge::cli::experiment_report_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ExperimentReport, SummaryAndHowItWasRun) {
  const std::string page = report_page({example_result()}, {{"t.json"}, "D"});
  EXPECT_THAT(page, HasSubstr("<b>2 of 6</b>measurements of 1 experiment"));
  EXPECT_THAT(page, HasSubstr("<td>2 of 6</td><td class=\"left\">one</td><td>55.5</td><td>21.5</td>"));
  EXPECT_THAT(page, HasSubstr("wordbridge reproduce t.json --data D --report"));
  EXPECT_THAT(page, Not(HasSubstr("the small version")));
}

TEST(ExperimentReport, TheBestOfAColumnIsBold) {
  ExperimentResult result = example_result();
  result.cells[1][0] = {70.0, 1, 1, ""};  // better than 50
  result.cells[1][2] = {61.0, 1, 1, ""};  // as good as the other
  const std::string page = report_page({result}, {});
  EXPECT_THAT(page, HasSubstr("<td><b>70.0 (1.0)</b></td>"));
  EXPECT_THAT(page, HasSubstr("<td>50.0 (10.0)</td>"));
  EXPECT_THAT(page, HasSubstr("<td><b>61.0 (33.0)</b></td>"));
  EXPECT_THAT(page, HasSubstr("<td><b>61.0 (3.0)</b></td>"));
}

TEST(ExperimentReport, NothingToChooseFromIsNotBold) {
  EXPECT_THAT(report_page({example_result()}, {}), HasSubstr("<td>61.0 (33.0)</td>"));
}

TEST(ExperimentReport, AMissingFileIsNamedOnce) {
  ExperimentResult one = example_result();
  one.reasons = {{"missing: b.vec (at https://example.org/b)", "b.vec (at https://example.org/b)"}, {"one, a: broken"}};
  ExperimentResult other = one;
  other.experiment.name = "u";
  const std::string page = report_page({one, other}, {});
  EXPECT_EQ(count(page, "b.vec"), 1);
  EXPECT_THAT(page, HasSubstr("b.vec (at <a href=\"https://example.org/b\">https://example.org/b</a>), for t, u"));
  EXPECT_EQ(count(page, "one, a: broken"), 2);
}

}  // namespace
}  // namespace wordbridge::cli::experiment_report_test
