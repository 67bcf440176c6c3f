#include "lexicon/identical_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wordbridge/error.h"

namespace wordbridge::identical_words_test {
namespace {

using ::testing::ElementsAre;
using Pair = Lexicon::Pair;

Vocabulary words(std::vector<std::string> list) { return Vocabulary(list); }

const Vocabulary kSource = words({"the", "1990", "taxi", "7", "1.5", "Paris"});
const Vocabulary kTarget = words({"taxi", "paris", "7", "el", "1990", "1.5"});

TEST(IdenticalWords, PairsEqualStringsBySourceRank) {
  EXPECT_THAT(identical_words(kSource, kTarget).pairs(), ElementsAre(Pair{1, 4}, Pair{2, 0}, Pair{3, 2}, Pair{4, 5}));
  EXPECT_EQ(identical_words(kSource, kTarget).coverage().pairs, 4u);
  EXPECT_TRUE(identical_words(kSource, kTarget).is_guess());
  EXPECT_TRUE(identical_numerals(kSource, kTarget).is_guess());
}

TEST(IdenticalWords, LetterWords) {
  const Vocabulary source =
      words({"taxi", "1990", "la", "no-no", "пиво", "cafe\u0301", "a1bc", "\xff\xfe\xfd\xfc", "radio"});
  const Vocabulary target =
      words({"radio", "la", "cafe\u0301", "пиво", "1990", "no-no", "a1bc", "\xff\xfe\xfd\xfc", "taxi"});
  EXPECT_THAT(identical_letter_words(source, target).pairs(),
              ElementsAre(Pair{0, 8}, Pair{4, 3}, Pair{5, 2}, Pair{8, 0}));
  EXPECT_THAT(identical_letter_words(source, target, 8).pairs(), ElementsAre(Pair{4, 3}, Pair{5, 2}));
  EXPECT_THAT(identical_letter_words(source, target, 0, 5).pairs(), ElementsAre(Pair{8, 0}));
  EXPECT_TRUE(identical_letter_words(source, words({"none"})).empty());
}

TEST(IdenticalWords, Numerals) {
  EXPECT_THAT(identical_numerals(kSource, kTarget).pairs(), ElementsAre(Pair{1, 4}, Pair{3, 2}));
}

TEST(IdenticalWords, RankLimitHoldsOnBothSides) {
  EXPECT_THAT(identical_words(kSource, kTarget, {.max_rank = 4}).pairs(), ElementsAre(Pair{2, 0}, Pair{3, 2}));
  EXPECT_THAT(identical_words(kSource, kTarget, {.max_rank = 100}).pairs().size(), 4u);
}

TEST(IdenticalWords, NoneIsAnError) {
  EXPECT_THROW(identical_words(kSource, words({"x"})), UsageError);
  EXPECT_THROW(identical_numerals(kSource, words({"taxi"})), UsageError);
  EXPECT_THROW(identical_words(Vocabulary(), kTarget), UsageError);
}

}  // namespace
}  // namespace wordbridge::identical_words_test
