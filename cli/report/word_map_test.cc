#include "cli/report/word_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::cli::word_map_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

WordVectors words(const std::vector<std::string>& names, const std::vector<std::vector<float>>& rows) {
  Matrix table(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], table.row(i).begin());
  return {Vocabulary(names), std::move(table)};
}

TEST(WordMap, WordsOfAPairAreJoined) {
  // Around a circle.
  const CommonSpace space(words({"up", "left", "x<y"}, {{0, 1}, {-1, 0}, {0.6F, -0.8F}}),
                          words({"oben", "links", "drei"}, {{0.6F, 0.8F}, {-0.8F, 0.6F}, {1, 0}}));
  const std::vector<Lexicon::Pair> pairs = {{0, 0}, {1, 1}, {2, 2}};
  const std::string svg = word_map_svg(space, pairs);
  for (const char* word : {">up<", ">oben<", ">left<", ">links<", ">x&lt;y<"}) EXPECT_THAT(svg, HasSubstr(word));
  EXPECT_THAT(svg, HasSubstr("<line class=\"grid\""));
}

TEST(WordMap, NothingIsWrittenOverAnother) {
  const CommonSpace space(words({"a", "b", "same"}, {{1, 0}, {0, 1}, {1, 0}}),
                          words({"A", "B", "SAME"}, {{0.6F, 0.8F}, {-1, 0}, {0.6F, 0.8F}}));
  const std::vector<Lexicon::Pair> pairs = {{0, 0}, {1, 1}, {2, 2}};
  const std::string svg = word_map_svg(space, pairs);
  EXPECT_THAT(svg, HasSubstr(">a<"));
  EXPECT_THAT(svg, Not(HasSubstr("same")));
}

TEST(WordMap, TooFewForAPicture) {
  const CommonSpace space(words({"a"}, {{1, 0}}), words({"A"}, {{0, 1}}));
  EXPECT_THAT(word_map_svg(space, std::vector<Lexicon::Pair>{{0, 0}}), Not(HasSubstr("<text")));
  EXPECT_THAT(word_map_svg(space, {}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace wordbridge::cli::word_map_test
