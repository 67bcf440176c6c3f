#include "lexicon/pair_filter.h"

#include <gtest/gtest.h>

#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::pair_filter_test {
namespace {

TEST(PairFilter, KnownPairsAreNeverWanted) {
  for (const char* name : {"all", "new", "identical", "cognates"}) {
    const PairFilter filter(parse_pair_kind(name), pairs_of("taxi taxi\nnight noche\n"));
    EXPECT_FALSE(filter.wants("taxi", "taxi")) << name;
    EXPECT_TRUE(filter.knows("night", "noche"));
    EXPECT_FALSE(filter.knows("noche", "night"));
  }
}

TEST(PairFilter, Kinds) {
  const WordPairs known = pairs_of("night noche\n");
  EXPECT_TRUE(PairFilter(PairKind::all, known).wants("night", "tarde"));
  EXPECT_FALSE(PairFilter(PairKind::fresh, known).wants("night", "tarde"));
  EXPECT_TRUE(PairFilter(PairKind::fresh, known).wants("day", "noche"));
  EXPECT_TRUE(PairFilter(PairKind::identical).wants("hotel", "hotel"));
  EXPECT_FALSE(PairFilter(PairKind::identical).wants("hotel", "hoteles"));
  // 1 of 6 letters differs; 4 of 5 do; equal strings are no cognates.
  EXPECT_TRUE(PairFilter(PairKind::cognates).wants("animal", "animar"));
  EXPECT_FALSE(PairFilter(PairKind::cognates).wants("night", "noche"));
  EXPECT_FALSE(PairFilter(PairKind::cognates).wants("hotel", "hotel"));
}

TEST(PairFilter, UnknownKind) { EXPECT_THROW(parse_pair_kind("old"), UsageError); }

}  // namespace
}  // namespace wordbridge::pair_filter_test
