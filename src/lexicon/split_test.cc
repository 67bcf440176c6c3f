#include "lexicon/split.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "wordbridge/error.h"

namespace wordbridge::split_test {
namespace {

using ::testing::ElementsAre;

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

}  // namespace
}  // namespace wordbridge::split_test
