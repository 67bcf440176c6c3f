#include "lexicon/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::split_test {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Lexicon random_lexicon(std::size_t pairs, std::size_t source_words, std::uint64_t seed) {
  Random random(seed);
  std::vector<Lexicon::Pair> list;
  for (std::size_t i = 0; i < pairs; ++i)
    list.push_back({static_cast<WordId>(random.index(source_words)), static_cast<WordId>(random.index(1000))});
  return Lexicon(list);
}

TEST(Split, DividesBySourceWord) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Lexicon lexicon = random_lexicon(500, 200, seed);
    for (const double share : {0.01, 0.1, 0.25, 0.5, 0.99}) {
      const LexiconSplit split = split_lexicon(lexicon, share, seed);
      const std::vector<WordId> train = split.train.source_words(), validation = split.validation.source_words();
      std::vector<WordId> both;
      std::set_intersection(train.begin(), train.end(), validation.begin(), validation.end(), std::back_inserter(both));
      EXPECT_TRUE(both.empty());
      const std::size_t words = lexicon.source_words().size();
      EXPECT_EQ(train.size() + validation.size(), words);
      EXPECT_EQ(validation.size(), static_cast<std::size_t>(std::round(share * static_cast<double>(words))));
      EXPECT_EQ(split.validation.coverage().source_words, validation.size());
      // Merged by position, the parts are the whole, in its order.
      std::size_t t = 0, v = 0;
      for (const Lexicon::Pair& pair : lexicon.pairs()) {
        if (std::binary_search(train.begin(), train.end(), pair.source))
          EXPECT_EQ(split.train.pairs()[t++], pair);
        else
          EXPECT_EQ(split.validation.pairs()[v++], pair);
      }
      EXPECT_EQ(t, split.train.size());
      EXPECT_EQ(v, split.validation.size());
    }
  }
}

TEST(Split, OffTheRare) {
  const Lexicon lexicon({{7, 0}, {2, 1}, {9, 2}, {7, 3}, {4, 4}, {9, 5}});
  const LexiconSplit half = split_off_rare(lexicon, 0.5, 1);
  EXPECT_THAT(half.train.pairs(), ElementsAre(Lexicon::Pair{2, 1}, Lexicon::Pair{4, 4}));
  EXPECT_THAT(half.validation.pairs(),
              ElementsAre(Lexicon::Pair{7, 0}, Lexicon::Pair{9, 2}, Lexicon::Pair{7, 3}, Lexicon::Pair{9, 5}));
  EXPECT_THAT(split_off_rare(lexicon, 0.99, 1).train.source_words(), ElementsAre(2));
  std::set<WordId> drawn;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (const WordId word : split_off_rare(lexicon, 0.25, seed).validation.source_words()) drawn.insert(word);
  EXPECT_THAT(drawn, ElementsAre(7, 9));
}

TEST(Split, SeedDecides) {
  const Lexicon lexicon = random_lexicon(500, 200, 1);
  const auto words = [&](std::uint64_t seed) { return split_lexicon(lexicon, 0.2, seed).validation.source_words(); };
  EXPECT_EQ(words(7), words(7));
  EXPECT_NE(words(7), words(8));
}

TEST(Split, NeitherPartIsEmpty) {
  const Lexicon two({{0, 0}, {1, 1}});
  for (const double share : {0.001, 0.5, 0.999}) {
    EXPECT_EQ(split_lexicon(two, share, 3).train.size(), 1u);
    EXPECT_EQ(split_lexicon(two, share, 3).validation.size(), 1u);
  }
}

TEST(Split, Errors) {
  const Lexicon lexicon({{0, 0}, {1, 1}});
  for (const double share : {0.0, 1.0, -0.5, 1.5, std::nan("")}) {
    EXPECT_THROW(split_lexicon(lexicon, share, 0), UsageError);
    EXPECT_THROW(split_off_rare(lexicon, share, 0), UsageError);
  }
  EXPECT_THROW(split_lexicon(Lexicon({{0, 0}, {0, 1}}), 0.5, 0), UsageError);
  EXPECT_THROW(split_lexicon(Lexicon(), 0.5, 0), UsageError);
  EXPECT_THROW(split_off_rare(Lexicon({{0, 0}, {0, 1}}), 0.5, 0), UsageError);
}

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

}  // namespace wordbridge::split_test
