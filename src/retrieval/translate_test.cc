#include "wordbridge/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mapping/stored_lexicon.h"
#include "wordbridge/error.h"

namespace wordbridge::translate_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Origin = Translations::Origin;

WordVectors vectors(std::vector<std::string> words, std::vector<float> values) {
  const std::size_t cols = values.size() / words.size();
  return WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), words.size(), cols}));
}

// The space of csls_test.cc: NN takes the hub for both words, CSLS (k = 2) "arriba" and "abajo".
WordVectors source() { return vectors({"up", "Down", "nothing"}, {0.8f, 0.6f, 0.8f, -0.6f, 0, 0}); }
WordVectors target() { return vectors({"cubo", "arriba", "abajo"}, {1, 0, 0, 1, 0, -1}); }

std::vector<std::string> words_of(const Translations& answer) {
  std::vector<std::string> words;
  for (const auto& candidate : answer.candidates) words.push_back(candidate.word);
  return words;
}

TEST(Translator, FindsTheBestWords) {
  const Translator translator(CommonSpace(source(), target()), {.criterion_options = {.neighbors = 2}});
  const Translations answer = translator.translate("up", 2);
  EXPECT_EQ(answer.query, "up");
  EXPECT_EQ(answer.word, "up");
  EXPECT_EQ(answer.origin, Origin::vocabulary);
  EXPECT_THAT(words_of(answer), ElementsAre("arriba", "cubo"));
  EXPECT_EQ(answer.candidates[0].id, 1u);
  EXPECT_NEAR(answer.candidates[0].score, 0.5, 1e-6);
  EXPECT_NEAR(answer.candidates[1].score, 0.1, 1e-6);
}

TEST(Translator, ByAnotherCriterion) {
  const Translator translator(CommonSpace(source(), target()), {.criterion = "nn"});
  EXPECT_THAT(words_of(translator.translate("up", 1)), ElementsAre("cubo"));
  EXPECT_EQ(translator.criterion().name(), "nn");
}

TEST(Translator, SeveralWordsInTheirOrder) {
  const Translator translator(CommonSpace(source(), target()), {.criterion_options = {.neighbors = 2}});
  const std::vector<std::string> words = {"unknown", "down", "nothing", "up", "up"};
  const std::vector<Translations> answers = translator.translate(words, 1);
  ASSERT_EQ(answers.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(answers[i].query, words[i]);
  EXPECT_EQ(answers[0].origin, Origin::none);
  EXPECT_EQ(answers[0].word, "");
  EXPECT_THAT(answers[0].candidates, IsEmpty());
  EXPECT_EQ(answers[1].word, "Down");  // found in another case
  EXPECT_THAT(words_of(answers[1]), ElementsAre("abajo"));
  EXPECT_EQ(answers[2].origin, Origin::none);  // in the vocabulary, but without a vector
  EXPECT_EQ(answers[2].word, "nothing");
  EXPECT_THAT(answers[2].candidates, IsEmpty());
  EXPECT_THAT(words_of(answers[3]), ElementsAre("arriba"));
  EXPECT_THAT(words_of(answers[4]), ElementsAre("arriba"));
}

TEST(Translator, CasePolicy) {
  const Translator exact(CommonSpace(source(), target()), {.case_policy = CasePolicy::exact});
  EXPECT_EQ(exact.translate("down", 1).origin, Origin::none);
  EXPECT_EQ(exact.translate("Down", 1).origin, Origin::vocabulary);
  EXPECT_EQ(exact.translate("UP", 1).origin, Origin::none);
}

TEST(Translator, SubwordsWhereTheModelHasThem) {
  const auto with_subwords = [] {
    WordVectors result = source();
    result.set_subword_model([](std::string_view word) -> std::optional<std::vector<float>> {
      if (word == "zero") return std::vector<float>{0, 0};
      if (word.starts_with("x")) return std::nullopt;
      return std::vector<float>{0, -1};
    });
    return result;
  };
  const Translator translator(CommonSpace(with_subwords(), target()), {.criterion = "nn"});
  const Translations answer = translator.translate("downward", 1);
  EXPECT_EQ(answer.origin, Origin::subwords);
  EXPECT_EQ(answer.word, "");
  EXPECT_THAT(words_of(answer), ElementsAre("abajo"));
  EXPECT_EQ(translator.translate("up", 1).origin, Origin::vocabulary);
  EXPECT_EQ(translator.translate("zero", 1).origin, Origin::none);
  EXPECT_EQ(translator.translate("xyz", 1).origin, Origin::none);
  const Translator without(CommonSpace(with_subwords(), target()), {.criterion = "nn", .use_subwords = false});
  EXPECT_EQ(without.translate("downward", 1).origin, Origin::none);
}

TEST(Translator, SurvivesAMove) {
  Translator first(CommonSpace(source(), target()), {.criterion_options = {.neighbors = 2}});
  Translator second = std::move(first);
  EXPECT_THAT(words_of(second.translate("up", 5)), ElementsAre("arriba", "cubo", "abajo"));
  EXPECT_EQ(second.space().size(Side::source), 3u);
}

TEST(Translator, TheOtherWayRound) {
  const Translator translator(CommonSpace(source(), target()), {.criterion = "nn", .asking = Side::target});
  EXPECT_THAT(words_of(translator.translate("arriba", 2)), ElementsAre("up", "Down"));
}

TEST(Translator, CandidatesInALoop) {
  std::string text;
  for (const auto& candidate : Translator(CommonSpace(source(), target())).translate("up", 2))
    text += candidate.word[0];
  EXPECT_EQ(text.size(), 2u);
}

TEST(Translator, NothingAsked) {
  const Translator translator(CommonSpace(source(), target()));
  EXPECT_THAT(translator.translate(std::vector<std::string>{}, 3), IsEmpty());
  EXPECT_THAT(translator.translate("up", 0).candidates, IsEmpty());
}

TEST(Translator, WrongUse) {
  EXPECT_THROW(Translator(CommonSpace(source(), target()), {.criterion = "best"}), UsageError);
}

/// The space of above, whose mapping was learned from these pairs.
CommonSpace taught(std::vector<StoredLexicon::Pair> pairs) {
  Mapping mapping(Matrix::identity(2), {}, {});
  mapping.lexicon = std::make_shared<const StoredLexicon>(StoredLexicon{std::move(pairs)});
  return CommonSpace(mapping, source(), target());
}

TEST(Translator, WhatIsKnownComesFirst) {
  const Translator translator(taught({{"up", "cubo"}, {"up", "encima"}}), {.criterion_options = {.neighbors = 2}});
  EXPECT_EQ(translator.known_pairs(), 2u);
  const Translations answer = translator.translate("up", 4);
  EXPECT_THAT(words_of(answer), ElementsAre("cubo", "encima", "arriba", "abajo"));
  EXPECT_TRUE(answer.candidates[0].known && answer.candidates[1].known);
  EXPECT_FALSE(answer.candidates[2].known || answer.candidates[3].known);
  EXPECT_NEAR(answer.candidates[0].score, 0.1, 1e-6) << "the criterion's own score stays";
  EXPECT_EQ(answer.candidates[1].id, Translations::kNoId);
  EXPECT_TRUE(std::isnan(answer.candidates[1].score)) << "the vocabulary does not have the word";
  EXPECT_THAT(words_of(translator.translate("up", 1)), ElementsAre("cubo"));
  EXPECT_THAT(words_of(translator.translate("Down", 2)), ElementsAre("abajo", "cubo")) << "of which nothing is known";
}

TEST(Translator, MorePairsAreGivenOrAllAreIgnored) {
  const Translator more(taught({{"up", "cubo"}}),
                        {.criterion_options = {.neighbors = 2}, .known = {{"UP", "abajo"}, {"down", "cubo"}}});
  EXPECT_THAT(words_of(more.translate("up", 3)), ElementsAre("cubo", "arriba", "abajo")) << "UP is another word";
  EXPECT_THAT(words_of(more.translate("UP", 1)), ElementsAre("cubo")) << "found as up";
  EXPECT_THAT(words_of(more.translate("down", 1)), ElementsAre("cubo"));
  const Translator ignorant(taught({{"up", "cubo"}}), {.criterion_options = {.neighbors = 2}, .ignore_known = true});
  const Translator untaught(CommonSpace(source(), target()), {.criterion_options = {.neighbors = 2}});
  EXPECT_EQ(ignorant.known_pairs(), 0u);
  EXPECT_EQ(words_of(ignorant.translate("up", 3)), words_of(untaught.translate("up", 3)));
}

TEST(Translator, KnownWordsWithoutVectors) {
  const Translator translator(taught({{"nothing", "nada"}, {"New York", "Nueva York"}}));
  const std::vector<std::string> asked = {"nothing", "New York", "elsewhere"};
  const std::vector<Translations> answers = translator.translate(asked, 3);
  EXPECT_THAT(words_of(answers[0]), ElementsAre("nada"));
  EXPECT_EQ(answers[0].origin, Origin::known);
  EXPECT_THAT(words_of(answers[1]), ElementsAre("Nueva York"));
  EXPECT_EQ(answers[1].word, "");
  EXPECT_EQ(answers[2].origin, Origin::none);
  EXPECT_THAT(answers[2].candidates, IsEmpty());
}

TEST(Translator, KnownFromTheTargetSide) {
  const Translator translator(taught({{"nothing", "arriba"}}),
                              {.criterion_options = {.neighbors = 2}, .asking = Side::target});
  const Translations answer = translator.translate("arriba", 2);
  EXPECT_THAT(words_of(answer), ElementsAre("nothing", "up"));
  EXPECT_TRUE(answer.candidates[0].known);
}

}  // namespace
}  // namespace wordbridge::translate_test
