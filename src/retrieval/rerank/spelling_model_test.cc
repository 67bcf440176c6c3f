#include "retrieval/rerank/spelling_model.h"

#include <gtest/gtest.h>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::spelling_model_test {
namespace {

struct Languages {
  PlantedLanguages planted = planted_languages(600, 300, 0.1, 11);
  SpellingResources resources{planted.source.vocabulary(), planted.target.vocabulary()};

  std::vector<SpellingModel::LetterPair> pairs(std::size_t shift = 0) const {
    std::vector<SpellingModel::LetterPair> list;
    for (const Lexicon::Pair& pair : planted.lexicon.pairs())
      list.emplace_back(resources.asking_words[pair.source],
                        resources.answering_words[(pair.target + shift) % resources.answering_words.size()]);
    return list;
  }
};

TEST(SpellingModel, LearnsHowCognatesAreSpelled) {
  const Languages languages;
  const auto model = SpellingModel::fit(languages.pairs(), languages.resources);
  ASSERT_NE(model, nullptr);
  // k becomes c, f becomes h, and words end in -us: none of that was said.
  const SpellingModel::Word word(*model, U"kafono");
  EXPECT_GT(word.log_ratio(U"cahonus"), 5);
  EXPECT_GT(word.log_ratio(U"cahonus"), word.log_ratio(U"kafonus") + 1);
  EXPECT_GT(word.log_ratio(U"cahonus"), word.log_ratio(U"cahono") + 1);
  EXPECT_LT(word.log_ratio(U"bidugo"), 0);
  const std::vector<std::u32string_view> both = {U"cahonus", U"bidugo"};
  const auto logs = word.logs_of(both);
  ASSERT_EQ(logs.size(), both.size());
  for (std::size_t i = 0; i < both.size(); ++i) {
    EXPECT_EQ(logs[i].ratio, word.log_ratio(both[i]));
    EXPECT_EQ(logs[i].given, word.log_given(both[i]));
  }
  EXPECT_LT(logs[0].given, 0);
}

TEST(SpellingModel, FindsTheWayBetweenScripts) {
  // The same words, but the targets in Greek letters, in another order than the alphabet's.
  const PlantedLanguages planted = planted_languages(1500, 1000, 0.1, 11);
  const auto greek = [](std::string_view word) {
    std::string result;
    for (const char letter : word) {
      const int code = 0x3B1 + (7 * (letter - 'a') + 3) % 25;
      result += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    }
    return result;
  };
  Vocabulary targets;
  for (std::size_t i = 0; i < planted.target.size(); ++i) targets.add(greek(planted.target.vocabulary()[i]));
  const SpellingResources resources(planted.source.vocabulary(), targets);
  std::vector<SpellingModel::LetterPair> pairs;
  for (const Lexicon::Pair& pair : planted.lexicon.pairs())
    pairs.emplace_back(resources.asking_words[pair.source], resources.answering_words[pair.target]);
  const auto model = SpellingModel::fit(pairs, resources);
  ASSERT_NE(model, nullptr);
  const SpellingModel::Word word(*model, U"kafono");
  EXPECT_GT(word.log_ratio(normalized_spelling(greek("cahonus"))), 3);
  EXPECT_LT(word.log_ratio(normalized_spelling(greek("bidugo"))), 0);
}

TEST(SpellingModel, ThereIsNoneWithoutCognates) {
  const Languages languages;
  EXPECT_EQ(SpellingModel::fit(languages.pairs(77), languages.resources), nullptr);
  EXPECT_EQ(SpellingModel::fit({}, languages.resources), nullptr);
}

TEST(SpellingModel, ComesBackFromWhatIsStored) {
  const Languages languages;
  const auto model = SpellingModel::fit(languages.pairs(), languages.resources);
  ASSERT_NE(model, nullptr);
  const RerankModel::Spelling stored = model->stored();
  const SpellingModel again(stored, languages.resources);
  EXPECT_EQ(again.stored(), stored);
  for (const auto& [source, target] : languages.pairs()) {
    const SpellingModel::Word one(again, source), other(*model, source);
    EXPECT_EQ(one.log_ratio(target), other.log_ratio(target));
    EXPECT_EQ(one.log_given(target), other.log_given(target));
  }
  double total = 0;
  for (const auto& unit : stored.units) total += unit.probability;
  EXPECT_NEAR(total, 1, 1e-9);
}

}  // namespace
}  // namespace wordbridge::spelling_model_test
