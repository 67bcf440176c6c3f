#include "cli/report/svg_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::svg_chart_test {

using testing::HasSubstr;
using testing::Not;

namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(SvgChart, RoundTicks) {
  EXPECT_THAT(round_ticks(0, 10, 6), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(round_ticks(47, 64, 5), ElementsAre(45, 50, 55, 60, 65));
  EXPECT_THAT(round_ticks(-0.1, 0.1, 3), ElementsAre(-0.1, DoubleNear(0, 1e-12), 0.1));
  EXPECT_GE(round_ticks(5, 5, 6).size(), 2);
  EXPECT_GE(round_ticks(0, 0, 6).size(), 2);
}

TEST(SvgChart, CurvesAndMarks) {
  const LineChart chart{"A & B", "words", "P@1", true, {{"one", {{10, 1}, {100, 2}}}, {"two", {{10, 3}}, false}}};
  const std::string svg = chart.to_svg();
  EXPECT_THAT(svg, HasSubstr("aria-label=\"A &amp; B\""));
  EXPECT_EQ(count_of(svg, "curve"), 1);
  EXPECT_EQ(count_of(svg, "<circle"), 3);  // two points and the legend
  EXPECT_EQ(count_of(svg, "<rect"), 2);
  EXPECT_THAT(svg, HasSubstr(">100</text>"));
  EXPECT_THAT(svg, HasSubstr(">P@1</text>"));
}

// On a logarithmic axis, 10 is halfway between 1 and 100: the marks are equally far apart.
TEST(SvgChart, LogarithmicAxis) {
  const LineChart chart{"", "", "", true, {{"one", {{1, 0}, {10, 0}, {100, 0}}}}};
  const std::string svg = chart.to_svg();
  EXPECT_THAT(svg, HasSubstr("cx=\"72.0\""));
  EXPECT_THAT(svg, HasSubstr("cx=\"264.0\""));
  EXPECT_THAT(svg, HasSubstr("cx=\"456.0\""));
}

TEST(SvgChart, NothingToShow) {
  EXPECT_THAT((LineChart{"", "", "", true, {{"one", {}}}}).to_svg(), Not(HasSubstr("nan")));
  EXPECT_THAT((LineChart{"", "", "", false, {}}).to_svg(), Not(HasSubstr("inf")));
  EXPECT_THAT((LogBarChart{"", "", "", {}, {}}).to_svg(), Not(HasSubstr("nan")));
}

TEST(SvgChart, Bars) {
  const LogBarChart chart{"", "", "", {"0", "1", "2-3"}, {{"nn", {100, 0, 1}}, {"csls", {50}}}};
  const std::string svg = chart.to_svg();
  // Two bars of nn (a circle in the legend), one of csls (and a square in the legend); none for counts of 0.
  EXPECT_EQ(count_of(svg, "<rect class=\"c0\""), 2);
  EXPECT_EQ(count_of(svg, "<rect class=\"c1\""), 2);
  EXPECT_THAT(svg, HasSubstr(">2-3</text>"));
}

}  // namespace

TEST(HeatMap, ACellForEachNumber) {
  const HeatMap map{"P@1", "from", "to", {"en", "es"}, {{std::nullopt, 62.5}, {0, std::nullopt}}};
  const std::string svg = map.to_svg();
  EXPECT_EQ(count_of(svg, "<rect"), 2u);
  EXPECT_THAT(svg, HasSubstr("<title>en to es: 62.5</title>"));
  EXPECT_THAT(svg, HasSubstr(">62.5</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>es to en: 0.0</title>"));
}

TEST(HeatMap, TheLargerTheDarker) {
  const HeatMap map{"P@1", "from", "to", {"a", "b"}, {{std::nullopt, 100}, {50, std::nullopt}}};
  const std::string svg = map.to_svg();
  EXPECT_THAT(svg, HasSubstr("fill-opacity=\"0.620\""));
  EXPECT_THAT(svg, HasSubstr("fill-opacity=\"0.330\""));
}

TEST(HeatMap, ManyLanguagesHaveNoNumbersInTheirCells) {
  HeatMap map{"P@1", "from", "to", {}, {}};
  for (int i = 0; i < 30; ++i) {
    map.labels.push_back("l" + std::to_string(i));
    map.values.emplace_back(30, 12.0);
  }
  const std::string svg = map.to_svg();
  EXPECT_EQ(count_of(svg, "<rect"), 900u);
  EXPECT_THAT(svg, Not(HasSubstr(">12.0</text>")));
}

TEST(HeatMap, NamesAreText) {
  const HeatMap map{"P@1", "from", "to", {"<b>"}, {{1.0}}};
  EXPECT_THAT(map.to_svg(), HasSubstr("&lt;b&gt;"));
  EXPECT_THAT(map.to_svg(), Not(HasSubstr("<b>")));
}

}  // namespace wordbridge::svg_chart_test
