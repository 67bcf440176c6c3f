#include "wordbridge/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wordbridge::translate_test
