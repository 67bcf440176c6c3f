#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "retrieval/criterion_registry.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "retrieval/rerank/train_reranker.h"
#include "wordbridge/error.h"
#include "wordbridge/translate.h"

namespace wordbridge::rerank_criterion_test {
namespace {

CommonSpace space_with(bool reranker) {
  const PlantedLanguages planted = planted_languages(200, 100, 0.6, 1);
  Mapping mapping = planted.identity();
  if (reranker)
    mapping.reranker = train_reranker({planted.source.vocabulary(), planted.target.vocabulary(), planted.lexicon,
                                       [&](const Lexicon&) { return planted.space(); }})
                           .model;
  return CommonSpace(mapping, planted.source, planted.target);
}

TEST(RerankCriterion, TheUsualOneIsThatOfTheReranker) {
  EXPECT_EQ(space_with(true).criterion(), "rerank");
  EXPECT_EQ(space_with(false).criterion(), "csls");
  EXPECT_EQ(Translator(space_with(true)).criterion().name(), "rerank");
  EXPECT_EQ(Translator(space_with(false)).criterion().name(), "csls");
  EXPECT_EQ(Translator(space_with(true), {.criterion = "nn"}).criterion().name(), "nn");
  EXPECT_THAT(criterion_names(), ::testing::ElementsAre("nn", "csls", "isf", "gc", "rerank"));
}

TEST(RerankCriterion, RerankIsOfOneDirection) {
  const CommonSpace space = space_with(true);
  EXPECT_EQ(make_criterion("rerank", space)->name(), "rerank");
  EXPECT_EQ(make_criterion("rerank", space, {}, Side::target)->name(), "csls");
  EXPECT_THROW(make_criterion("rerank", space_with(false)), UsageError);
  EXPECT_THROW(make_criterion("colors", space), UsageError);
}

TEST(RerankCriterion, TranslatorsPrintProbabilities) {
  const Translator translator(space_with(true));
  const std::string word(translator.space().vocabulary(Side::source)[150]);
  const Translations answer = translator.translate(word, 3);
  ASSERT_EQ(answer.candidates.size(), 3u);
  EXPECT_GT(answer.candidates[0].score, 0);
  EXPECT_LE(answer.candidates[0].score, 1);
}

}  // namespace
}  // namespace wordbridge::rerank_criterion_test
