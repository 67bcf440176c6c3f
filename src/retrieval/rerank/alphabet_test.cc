#include "retrieval/rerank/alphabet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace wordbridge::alphabet_test {
namespace {

using ::testing::ElementsAre;

SpellingTable table_of(const std::vector<std::string>& words) { return SpellingTable(Vocabulary(words)); }

TEST(Alphabet, HasTheMostFrequentLetters) {
  const Alphabet alphabet(table_of({"banana", "bat", "zoo"}), 3);
  EXPECT_THAT(alphabet.letters(), ElementsAre('a', 'b', 'n'));  // 4, 2, 2; o has two as well and comes later
  EXPECT_EQ(alphabet.size(), 6u);
  EXPECT_THAT(alphabet.encode(U"bzn"), ElementsAre(alphabet.begin(), 1, alphabet.other(), 2, alphabet.end()));
  EXPECT_EQ(alphabet.encode(std::u32string(50, U'a')).size(), Alphabet::kLongestWord + 2);
}

TEST(LetterBigrams, KnownAnswer) {
  const SpellingTable words = table_of({"ab", "aa"});
  const Alphabet alphabet(words);  // a, b; 5 symbols
  const LetterBigrams bigrams(words, alphabet);
  // ^ -> a twice; a -> a once, b once, $ once; b -> $ once.
  const double expected = std::log(2.1 / 2.5) + std::log(1.1 / 3.5) + std::log(1.1 / 1.5);
  EXPECT_NEAR(bigrams.log_probability(alphabet.encode(U"ab")), expected, 1e-12);
  EXPECT_DOUBLE_EQ(bigrams.unigram(0), 3.0 / 8);
  EXPECT_DOUBLE_EQ(bigrams.unigram(alphabet.end()), 2.0 / 8);
}

}  // namespace
}  // namespace wordbridge::alphabet_test
