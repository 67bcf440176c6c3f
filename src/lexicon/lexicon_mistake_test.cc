#include "lexicon/lexicon_mistake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::lexicon_mistake_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

ColumnMatches matches(std::uint64_t pairs, std::uint64_t own, std::uint64_t other) { return {pairs, own, other}; }

TEST(LexiconMistake, CountsOfRealLexiconsThatFit) {
  // MUSE over the 50,000 most frequent words of Wikipedia: en-es, en-de.
  EXPECT_EQ(likely_mistake({.pairs = 11087, .swapped_pairs = 2150, .only_swapped = 18, .any_case_pairs = 11087},
                           matches(10231, 10214, 3833), matches(10231, 9513, 737)),
            LexiconMistake::none);
  EXPECT_EQ(likely_mistake({.pairs = 13245, .swapped_pairs = 2270, .only_swapped = 15, .any_case_pairs = 13400},
                           matches(12774, 12755, 5916), matches(12774, 11531, 694)),
            LexiconMistake::none);
}

TEST(LexiconMistake, CountsOfRealMistakes) {
  // The lexicon en-es with the vectors es-en, en-en, es-es, en-de and de-es.
  EXPECT_EQ(likely_mistake({.pairs = 2150, .swapped_pairs = 11087, .only_swapped = 8955, .any_case_pairs = 2150},
                           matches(10231, 3833, 10214), matches(10231, 737, 9513)),
            LexiconMistake::swapped);
  const LexiconCoverage even{.pairs = 2450, .swapped_pairs = 2450, .any_case_pairs = 2450};
  EXPECT_EQ(likely_mistake(even, matches(10231, 10214, 10214), matches(10231, 737, 737)), LexiconMistake::wrong_target);
  EXPECT_EQ(likely_mistake(even, matches(10231, 3833, 3833), matches(10231, 9513, 9513)), LexiconMistake::wrong_source);
  EXPECT_EQ(likely_mistake(even, matches(10231, 10214, 4735), matches(10231, 522, 737)), LexiconMistake::wrong_target);
  EXPECT_EQ(likely_mistake(even, matches(10231, 4735, 3833), matches(10231, 9513, 522)), LexiconMistake::wrong_source);
}

TEST(LexiconMistake, SaysWhatWasFound) {
  EXPECT_THAT(explain(LexiconMistake::none, {}, {}, {}), IsEmpty());
  EXPECT_THAT(explain(LexiconMistake::swapped, {.pairs = 1, .swapped_pairs = 9}, {}, {}),
              HasSubstr("1 pair is in the vocabularies, and 9 with the two sides swapped"));
  EXPECT_THAT(explain(LexiconMistake::other_case, {.pairs = 2, .any_case_pairs = 9}, {}, {}),
              HasSubstr("2 pairs are in the vocabularies as written, and 9 in another letter case"));
  EXPECT_THAT(explain(LexiconMistake::wrong_source, {}, {.pairs = 30, .own = 3, .other = 4}, {}),
              HasSubstr("3 of 30 source words are in the source vocabulary, and 4 in as many words of the target"));
}

}  // namespace
}  // namespace wordbridge::lexicon_mistake_test
