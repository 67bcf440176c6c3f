#include "evaluation/frequency_bands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::frequency_bands_test {
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

}  // namespace
}  // namespace wordbridge::frequency_bands_test
