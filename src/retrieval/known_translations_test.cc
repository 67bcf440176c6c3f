#include "retrieval/known_translations.h"

#include <gmock/gmock.h>

namespace wordbridge::known_translations_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const StoredLexicon kStored = {
    {{"bank", "banque"}, {"Paris", "Paris"}, {"bank", "rive"}, {"new york", "nouvelle york"}}};

TEST(KnownTranslations, AreInTheOrderInWhichTheyWereSaid) {
  const std::vector<Lexicon::WrittenPair> more = {{"bank", "banques"}, {"bank", "rive"}, {"light", "clair"}};
  const KnownTranslations known(&kStored, more, Side::source);
  EXPECT_EQ(known.pairs(), 6u);
  EXPECT_THAT(known.of("bank"), ElementsAre("banque", "rive", "banques"));
  EXPECT_THAT(known.of("light"), ElementsAre("clair"));
  EXPECT_THAT(known.of("banque"), IsEmpty());
  EXPECT_TRUE(known.has("bank", "rive"));
  EXPECT_FALSE(known.has("bank", "clair"));
}

TEST(KnownTranslations, FromTheOtherSide) {
  const KnownTranslations known(&kStored, {}, Side::target);
  EXPECT_THAT(known.of("rive"), ElementsAre("bank"));
  EXPECT_THAT(known.of("bank"), IsEmpty());
}

TEST(KnownTranslations, TypedInAnotherCase) {
  const KnownTranslations known(&kStored, {}, Side::source);
  EXPECT_THAT(known.of("BANK"), IsEmpty());
  EXPECT_THAT(known.of("BANK", CasePolicy::lower), ElementsAre("banque", "rive"));
  EXPECT_THAT(known.of("paris", CasePolicy::lower), IsEmpty());
  EXPECT_THAT(known.of("paris", CasePolicy::title), ElementsAre("Paris"));
}

TEST(KnownTranslations, OfNothing) {
  EXPECT_TRUE(KnownTranslations().empty());
  EXPECT_TRUE(KnownTranslations(nullptr, {}, Side::source).empty());
  EXPECT_THAT(KnownTranslations().of("bank"), IsEmpty());
}

}  // namespace
}  // namespace wordbridge::known_translations_test
