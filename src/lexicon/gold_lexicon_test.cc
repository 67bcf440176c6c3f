#include "lexicon/gold_lexicon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::gold_lexicon_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GoldLexicon, KeepsWordsOutsideTheVocabularies) {
  const Vocabulary source = vocabulary_of({"the", "house", "cat"}), target = vocabulary_of({"la", "casa", "el"});
  const GoldLexicon gold(pairs_of("the el\nhouse hogar\ndog perro\nthe la\nhouse home\ncat casa\ndog casa\n"), source,
                         target, CasePolicy::exact);
  ASSERT_EQ(gold.size(), 4u);
  EXPECT_EQ(gold.covered(), 2u);
  const auto entries = gold.entries();
  EXPECT_EQ(entries[0].word, "the");
  EXPECT_EQ(entries[0].id, WordId{0});
  EXPECT_THAT(entries[0].targets, ElementsAre("el", "la"));
  EXPECT_THAT(entries[0].target_ids, ElementsAre(0u, 2u));
  EXPECT_TRUE(entries[0].covered());
  EXPECT_TRUE(entries[0].accepts(2));
  EXPECT_FALSE(entries[0].accepts(1));
  EXPECT_EQ(entries[1].word, "house");
  EXPECT_THAT(entries[1].targets, ElementsAre("hogar", "home"));
  EXPECT_THAT(entries[1].target_ids, IsEmpty());
  EXPECT_FALSE(entries[1].covered());
  EXPECT_EQ(entries[2].word, "dog");
  EXPECT_EQ(entries[2].id, std::nullopt);
  EXPECT_THAT(entries[2].target_ids, ElementsAre(1u));
  EXPECT_FALSE(entries[2].covered());
  EXPECT_TRUE(entries[3].covered());
}

TEST(GoldLexicon, SpellingsOfOneWordAreTwoEntries) {
  const Vocabulary source = vocabulary_of({"bank"}), target = vocabulary_of({"banco"});
  const GoldLexicon gold(pairs_of("bank banco\nBank Banco\n"), source, target, CasePolicy::lower);
  EXPECT_EQ(gold.size(), 2u);
  EXPECT_EQ(gold.covered(), 2u);
  EXPECT_THAT(gold.entries()[1].target_ids, ElementsAre(0u));
}

TEST(GoldLexicon, OfUsablePairs) {
  const Vocabulary source = vocabulary_of({"a", "b"}), target = vocabulary_of({"x", "y"});
  const GoldLexicon gold(Lexicon({{1, 1}, {0, 0}, {1, 0}}), source, target);
  ASSERT_EQ(gold.size(), 2u);
  EXPECT_EQ(gold.covered(), 2u);
  EXPECT_EQ(gold.entries()[0].word, "b");
  EXPECT_THAT(gold.entries()[0].targets, ElementsAre("y", "x"));
  EXPECT_THAT(gold.entries()[0].target_ids, ElementsAre(0u, 1u));
}

TEST(GoldLexicon, NothingCovered) {
  EXPECT_THROW(GoldLexicon(pairs_of("q r\n"), vocabulary_of({"a"}), vocabulary_of({"b"}), CasePolicy::exact),
               InputError);
}

}  // namespace
}  // namespace wordbridge::gold_lexicon_test
