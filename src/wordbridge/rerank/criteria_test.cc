#include "wordbridge/rerank/criteria.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordbridge/base/error.h"
#include "wordbridge/rerank/rerank_test_support.h"
#include "wordbridge/rerank/train_reranker.h"

namespace wordbridge::criteria_test {
namespace {

CommonSpace space_with(bool reranker) {
  const PlantedLanguages planted = planted_languages(200, 100, 0.6, 1);
  Mapping mapping = planted.identity();
  if (reranker)
    mapping.reranker = train_reranker({planted.source, planted.target, planted.lexicon,
                                       [&](const Lexicon&) { return planted.identity(); }})
                           .model;
  return CommonSpace(mapping, planted.source, planted.target);
}

TEST(Criteria, TheUsualOneIsThatOfTheReranker) {
  EXPECT_EQ(usual_criterion(space_with(true)), "rerank");
  EXPECT_EQ(usual_criterion(space_with(false)), "csls");
  EXPECT_EQ(make_translator(space_with(true)).criterion().name(), "rerank");
  EXPECT_EQ(make_translator(space_with(false)).criterion().name(), "csls");
  EXPECT_EQ(make_translator(space_with(true), {.criterion = "nn"}).criterion().name(), "nn");
  EXPECT_THAT(all_criterion_names(), ::testing::ElementsAre("nn", "csls", "isf", "gc", "rerank"));
}

TEST(Criteria, RerankIsOfOneDirection) {
  const CommonSpace space = space_with(true);
  EXPECT_EQ(make_any_criterion("rerank", space)->name(), "rerank");
  EXPECT_EQ(make_any_criterion("rerank", space, {}, Side::target)->name(), "csls");
  EXPECT_THROW(make_any_criterion("rerank", space_with(false)), UsageError);
  EXPECT_THROW(make_any_criterion("colors", space), UsageError);
}

TEST(Criteria, TranslatorsPrintProbabilities) {
  const Translator translator = make_translator(space_with(true));
  const std::string word(translator.space().vocabulary(Side::source)[150]);
  const Translations answer = translator.translate(word, 3);
  ASSERT_EQ(answer.candidates.size(), 3u);
  EXPECT_GT(answer.candidates[0].score, 0);
  EXPECT_LE(answer.candidates[0].score, 1);
}

}  // namespace
}  // namespace wordbridge::criteria_test
