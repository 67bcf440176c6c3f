#include "retrieval/phrase_translations.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wordbridge::phrase_translations_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Origin = Translations::Origin;

WordVectors vectors(const std::vector<std::string>& words, const std::vector<float>& values) {
  const std::size_t cols = values.size() / words.size();
  return WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), words.size(), cols}));
}

/// red, wine, new, nothing; the other side has the phrase vino_tinto, and nueva-york, which lies elsewhere.
CommonSpace wines() {
  return CommonSpace(
      vectors({"red", "wine", "new", "York", "nothing"}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0}),
      vectors({"rojo", "tinto", "vino", "vino_tinto", "nueva", "york", "nueva-york"},
              {1, 0, 0, 0, 0.9f, 0.1f, 0, 0, 0, 1, 0, 0, 0.7f, 0.7f, 0, 0.1f, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.2f, 1, 0}));
}

std::vector<std::string> words_of(const Translations& answer) {
  std::vector<std::string> words;
  for (const auto& candidate : answer.candidates) words.push_back(candidate.word);
  return words;
}

TEST(Phrases, ComposingWords) {
  const CommonSpace space = wines();
  EXPECT_THAT(composing_words(space, Side::source, "red wine", CasePolicy::title), ElementsAre(0u, 1u));
  EXPECT_THAT(composing_words(space, Side::source, "Red_wine", CasePolicy::title), ElementsAre(0u, 1u));
  EXPECT_THAT(composing_words(space, Side::source, "new york", CasePolicy::title), ElementsAre(2u, 3u));
  EXPECT_THAT(composing_words(space, Side::source, "red", CasePolicy::title), IsEmpty());
  EXPECT_THAT(composing_words(space, Side::source, "red beer", CasePolicy::title), IsEmpty());
  EXPECT_THAT(composing_words(space, Side::source, "red nothing", CasePolicy::title), IsEmpty()) << "a zero vector";
  EXPECT_THAT(
      composed_vector(space, Side::source, {0, 1}),
      ElementsAre(testing::FloatNear(std::sqrt(0.5f), 1e-6f), testing::FloatNear(std::sqrt(0.5f), 1e-6f), 0, 0));
}

TEST(Phrases, ThoseOfTheOtherSideAreFound) {
  const Translator translator(wines(), {.criterion = "nn"});
  const Translations wine = translator.translate("red wine", 4);
  EXPECT_EQ(wine.origin, Origin::phrase);
  EXPECT_EQ(wine.word, "");
  EXPECT_THAT(words_of(wine), ElementsAre("vino_tinto", "rojo vino", "tinto", "rojo"));
  EXPECT_TRUE(wine.candidates[0].composed && wine.candidates[1].composed);
  EXPECT_FALSE(wine.candidates[2].composed);
  EXPECT_GT(wine.candidates[0].score, 0.9) << "the criterion's score of its vector";
  EXPECT_TRUE(std::isnan(wine.candidates[1].score));
  const Translations york = translator.translate("new york", 2);
  EXPECT_EQ(york.candidates[0].word, "nueva-york");
  EXPECT_TRUE(york.candidates[0].composed);
}

TEST(Phrases, WithoutPhrasesWordForWord) {
  const CommonSpace space(vectors({"red", "wine"}, {1, 0, 0, 1}), vectors({"rojo", "vino"}, {1, 0, 0, 1}));
  const Translations answer = Translator(space, {.criterion = "nn"}).translate("red wine", 3);
  EXPECT_THAT(words_of(answer), ElementsAre("rojo vino", "rojo", "vino"));
  EXPECT_EQ(answer.candidates[0].id, Translations::kNoId);
}

TEST(Phrases, WhatIsKnownOfAPhraseOrOfItsWordsCounts) {
  const Translator translator(wines(),
                              {.criterion = "nn", .known = {{"new york", "la gran manzana"}, {"wine", "caldo"}}});
  EXPECT_EQ(translator.translate("new_york", 2).candidates[0].word, "la gran manzana");
  EXPECT_TRUE(translator.translate("New York", 2).candidates[0].known);
  EXPECT_THAT(words_of(translator.translate("red wine", 2)), ElementsAre("vino_tinto", "rojo caldo"));
}

TEST(Phrases, ManyWordsAndOppositeOnes) {
  const CommonSpace space(vectors({"a", "b"}, {1, 0, -1, 0}), vectors({"x", "y"}, {1, 0, -1, 0}));
  const Translator translator(space, {.criterion = "nn"});
  EXPECT_EQ(translator.translate("a b", 2).origin, Origin::none) << "they cancel each other out";
  const Translations answer = translator.translate("a a a a a a a a", 1);
  EXPECT_THAT(words_of(answer), ElementsAre("x x x x x x x x"));
}

}  // namespace
}  // namespace wordbridge::phrase_translations_test
