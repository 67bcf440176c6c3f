#include "evaluation/word_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::word_groups_test {

namespace {

using ::testing::ElementsAre;

WordTranslation::Word word_of(std::optional<WordId> id, std::size_t rank, bool covered = true) {
  WordTranslation::Word word;
  word.id = id;
  word.rank = rank;
  word.covered = covered;
  return word;
}

/// Frequency ranks 1, 10, 11, 12, 500 and none.
WordTranslation example() {
  WordTranslation result;
  result.words = {word_of(0, 1),  word_of(9, 2),   word_of(10, 0, false),
                  word_of(11, 1), word_of(499, 0), word_of(std::nullopt, 0, false)};
  return result;
}

TEST(FrequencyBands, KnownAnswer) {
  const std::vector<std::size_t> bounds = {10, 100};
  const auto bands = by_frequency(example(), bounds);
  ASSERT_EQ(bands.size(), 3);
  EXPECT_EQ(bands[0].first, 1);
  EXPECT_EQ(bands[0].last, 10);
  EXPECT_EQ(bands[0].all.words, 2);
  EXPECT_THAT(bands[0].all.precision, ElementsAre(50, 100, 100));
  EXPECT_EQ(bands[0].all.mrr_at_10, 75);
  EXPECT_EQ(bands[1].first, 11);
  EXPECT_EQ(bands[1].all.words, 2);
  EXPECT_EQ(bands[1].covered.words, 1);
  EXPECT_EQ(bands[1].all.precision[0], 50);
  EXPECT_EQ(bands[1].covered.precision[0], 100);
  EXPECT_EQ(bands[2].first, 101);
  EXPECT_EQ(bands[2].last, 0);
  EXPECT_EQ(bands[2].all.words, 1);
}

TEST(FrequencyBands, EmptyBandsAreLeftOut) {
  EXPECT_EQ(by_frequency(example(), std::vector<std::size_t>{100, 200, 1000}).size(), 2);
  EXPECT_EQ(by_frequency(example(), {}).size(), 1);
}

TEST(FrequencyBands, Bounds) {
  EXPECT_THAT(parse_bounds("10,20,300"), ElementsAre(10, 20, 300));
  EXPECT_THAT(parse_bounds("5"), ElementsAre(5));
  for (const char* text : {"", "0", "a", "5,", "5,5", "5,4", "-1", "1 2", "1.5"})
    EXPECT_THROW(parse_bounds(text), UsageError) << text;
  EXPECT_THROW(by_frequency(example(), std::vector<std::size_t>{5, 5}), UsageError);
}

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

}  // namespace wordbridge::word_groups_test
