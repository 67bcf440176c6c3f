#include "wordbridge/lexicon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace wordbridge::lexicon_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Pair = Lexicon::Pair;

TEST(Lexicon, KeepsOrderAndSetsRepetitionsAside) {
  const Lexicon lexicon({{3, 1}, {0, 5}, {3, 1}, {3, 0}, {0, 5}});
  EXPECT_THAT(lexicon.pairs(), ElementsAre(Pair{3, 1}, Pair{0, 5}, Pair{3, 0}));
  EXPECT_EQ(lexicon.size(), 3u);
  EXPECT_THAT(lexicon.source_words(), ElementsAre(0u, 3u));
  EXPECT_THAT(lexicon.target_words(), ElementsAre(0u, 1u, 5u));
  EXPECT_EQ(lexicon.coverage().lines, 5u);
  EXPECT_EQ(lexicon.coverage().duplicates, 2u);
  EXPECT_EQ(lexicon.coverage().pairs, 3u);
  EXPECT_EQ(lexicon.coverage().source_words, 2u);
  EXPECT_EQ(lexicon.coverage().all_source_words, 2u);
  EXPECT_EQ(lexicon.coverage().target_words, 3u);
  EXPECT_EQ(lexicon.coverage().to_line(), "2 of 2 source words, 3 of 3 pairs (2 duplicates set aside)");
}

TEST(Lexicon, First) {
  const Lexicon lexicon({{3, 1}, {0, 5}, {3, 0}});
  EXPECT_THAT(lexicon.first(2).pairs(), ElementsAre(Pair{3, 1}, Pair{0, 5}));
  EXPECT_EQ(lexicon.first(2).coverage().pairs, 2u);
  EXPECT_EQ(lexicon.first(7).size(), 3u);
  EXPECT_TRUE(lexicon.first(0).empty());
}

TEST(Lexicon, Empty) {
  const Lexicon lexicon;
  EXPECT_TRUE(lexicon.empty());
  EXPECT_THAT(lexicon.source_words(), IsEmpty());
  EXPECT_EQ(lexicon.coverage().source_percent(), 0);
  EXPECT_EQ(Lexicon(std::vector<Pair>()).coverage().to_line(), "0 of 0 source words, 0 of 0 pairs");
}

}  // namespace
}  // namespace wordbridge::lexicon_test
