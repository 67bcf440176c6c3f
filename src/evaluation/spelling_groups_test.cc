#include "evaluation/spelling_groups.h"

#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::spelling_groups_test {
namespace {

WordTranslation result_with_ranks(const std::vector<std::size_t>& ranks) {
  WordTranslation result;
  const std::vector<std::pair<std::string, std::vector<std::string>>> words = {
      {"radio", {"aparato", "radio"}}, {"nation", {"nación"}}, {"house", {"casa"}}, {"dog", {"perro", "can"}}};
  for (std::size_t i = 0; i < words.size(); ++i)
    result.words.push_back({words[i].first, true, words[i].second, {}, {}, ranks[i], static_cast<WordId>(i)});
  return result;
}

TEST(BySpelling, KnownAnswer) {
  const auto groups = by_spelling(result_with_ranks({1, 1, 2, 1}));
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].shares.words, 1u);
  EXPECT_EQ(groups[1].shares.words, 3u);
  EXPECT_NEAR(groups[1].shares.precision[0], 100 * 2.0 / 3, 1e-9);
  EXPECT_EQ(groups[2].shares.words, 1u);  // nation: nacion is more than half the same
  EXPECT_EQ(groups[3].shares.words, 2u);
  EXPECT_DOUBLE_EQ(groups[3].shares.precision[0], 50);
}

TEST(RerankAnalysis, StandsBesideCsls) {
  const RerankAnalysis analysis =
      analyze_reranked(result_with_ranks({1, 1, 2, 1}), result_with_ranks({0, 1, 1, 2}), {.samples = 100});
  EXPECT_EQ(analysis.comparison.only_second, 2u);
  EXPECT_EQ(analysis.comparison.only_first, 1u);
  EXPECT_THROW(analyze_reranked(result_with_ranks({1, 1, 2, 1}), WordTranslation()), UsageError);
}

TEST(RerankAnalysis, TellsAGainOfSpellingAlone) {
  const auto alone = [](std::vector<std::size_t> reranked, std::vector<std::size_t> csls) {
    return analyze_reranked(result_with_ranks(reranked), result_with_ranks(csls), {.samples = 100})
        .gains_by_spelling_alone();
  };
  EXPECT_TRUE(alone({1, 2, 2, 1}, {2, 2, 2, 1}));   // radio
  EXPECT_TRUE(alone({1, 1, 2, 1}, {2, 2, 2, 1}));   // nation, too
  EXPECT_FALSE(alone({1, 2, 1, 1}, {2, 2, 2, 1}));  // house
  EXPECT_FALSE(alone({1, 2, 2, 1}, {1, 2, 2, 1}));  // no gain at all
}

}  // namespace
}  // namespace wordbridge::spelling_groups_test
