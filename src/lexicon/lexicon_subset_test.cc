#include "lexicon/lexicon_subset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lexicon/word_pairs_test_support.h"

namespace wordbridge::lexicon_subset_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Pair = WordPairs::Pair;

const char* const kPairs = "a 1\nb 2\na 3\nc 1\nb 4\n";

// The dictionary holds every pair of the test, and one more of its words: both must go, or the test would be trained
// on.
TEST(LexiconSubset, FullLexiconsLackEverySourceWordOfTheTest) {
  const WordPairs test = pairs_of("b 2\nz 9\n");
  const WordPairs full = without_source_words(pairs_of(kPairs), test);
  EXPECT_THAT(full.pairs, ElementsAre(Pair{"a", "1"}, Pair{"a", "3"}, Pair{"c", "1"}));
  for (const Pair& pair : full.pairs)
    for (const Pair& tested : test.pairs) EXPECT_NE(pair.source, tested.source);
  EXPECT_THAT(without_source_words(pairs_of(kPairs), pairs_of(kPairs)).pairs, IsEmpty());
}

TEST(LexiconSubset, TargetWordsOfTheTestMayStay) {
  EXPECT_THAT(without_source_words(pairs_of("x 2\n"), pairs_of("b 2\n2 x\n")).pairs, ElementsAre(Pair{"x", "2"}));
}

TEST(LexiconSubset, FirstSourceWordsKeepAllTheirTranslations) {
  EXPECT_THAT(first_source_words(pairs_of(kPairs), 2).pairs,
              ElementsAre(Pair{"a", "1"}, Pair{"b", "2"}, Pair{"a", "3"}, Pair{"b", "4"}));
  EXPECT_THAT(first_source_words(pairs_of(kPairs), 0).pairs, IsEmpty());
  EXPECT_EQ(first_source_words(pairs_of(kPairs), 9).pairs, pairs_of(kPairs).pairs);
}

TEST(LexiconSubset, Reversed) {
  EXPECT_THAT(reversed(pairs_of("a 1\nb 2\n")).pairs, ElementsAre(Pair{"1", "a"}, Pair{"2", "b"}));
}

}  // namespace
}  // namespace wordbridge::lexicon_subset_test
