#include "retrieval/rerank/known_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::known_pairs_test {
namespace {

using ::testing::ElementsAre;

TEST(KnownPairs, AreSortedByWord) {
  const KnownPairs known(Lexicon({{5, 2}, {1, 0}, {5, 1}, {3, 2}}), 4);
  EXPECT_THAT(known.words(), ElementsAre(1, 3, 5));
  EXPECT_THAT(known.targets_of(0), ElementsAre(0));
  EXPECT_THAT(known.targets_of(2), ElementsAre(1, 2));
}

TEST(KnownPairs, AWordsOwnPairsDoNotCount) {
  const KnownPairs known(Lexicon({{5, 2}, {1, 0}, {5, 1}, {3, 2}}), 4);
  EXPECT_EQ(known.others_with(2, std::nullopt), 2u);
  EXPECT_EQ(known.others_with(2, 5), 1u);
  EXPECT_EQ(known.others_with(2, 1), 2u);
  EXPECT_EQ(known.others_with(2, 4), 2u);
  EXPECT_EQ(known.others_with(3, 5), 0u);
  EXPECT_EQ(KnownPairs(Lexicon(), 2).others_with(1, 0), 0u);
}

}  // namespace
}  // namespace wordbridge::known_pairs_test
