#include "cli/report/heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::heat_map_test {

using testing::HasSubstr;
using testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

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

}  // namespace wordbridge::heat_map_test
