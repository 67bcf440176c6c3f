#include "retrieval/rerank/lexicon_knowledge.h"

#include <gtest/gtest.h>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::lexicon_knowledge_test {
namespace {

TEST(LexiconKnowledge, ComesBackFromAModel) {
  const PlantedLanguages planted = planted_languages(300, 200, 0.1, 4);
  const CommonSpace space(planted.identity(), planted.source, planted.target);
  const auto spelling =
      std::make_shared<const SpellingResources>(planted.source.vocabulary(), planted.target.vocabulary());
  const LexiconKnowledge learned = learn_from_lexicon(planted.lexicon, spelling);
  ASSERT_NE(learned.spelling_model, nullptr);
  ASSERT_NE(learned.suffixes, nullptr);
  RerankModel model;
  model.spelling = learned.spelling_model->stored();
  for (const Lexicon::Pair& pair : planted.lexicon.pairs())
    model.pairs.push_back(
        {std::string(planted.source.vocabulary()[pair.source]), std::string(planted.target.vocabulary()[pair.target])});
  model.pairs.push_back({"unknown", "words"});
  const LexiconKnowledge again = knowledge_of(model, space, spelling);
  EXPECT_TRUE(std::ranges::equal(again.pairs.pairs(), planted.lexicon.pairs()));  // what is unknown is left out
  EXPECT_EQ(again.spelling_model->stored(), *model.spelling);
  EXPECT_GT(again.suffixes->log_ratios(U"kamo", U"camus")[1], 0);
}

TEST(LexiconKnowledge, WithoutSpellingThereAreOnlyPairs) {
  const PlantedLanguages planted = planted_languages(300, 200, 0.1, 4);
  const LexiconKnowledge learned = learn_from_lexicon(planted.lexicon, nullptr);
  EXPECT_EQ(learned.pairs.size(), 200u);
  EXPECT_EQ(learned.spelling_model, nullptr);
  EXPECT_EQ(learned.suffixes, nullptr);
}

}  // namespace
}  // namespace wordbridge::lexicon_knowledge_test
