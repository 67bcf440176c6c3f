#include "retrieval/rerank/learned_spelling_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::learned_spelling_features_test {
namespace {

TEST(LearnedSpellingFeatures, AreThoseOfTheModel) {
  const PlantedLanguages planted = planted_languages(600, 300, 0.1, 11);
  const auto spelling =
      std::make_shared<const SpellingResources>(planted.source.vocabulary(), planted.target.vocabulary());
  std::vector<SpellingModel::LetterPair> pairs;
  for (const Lexicon::Pair& pair : planted.lexicon.pairs())
    pairs.emplace_back(spelling->asking_words[pair.source], spelling->answering_words[pair.target]);
  const auto model = SpellingModel::fit(pairs, *spelling);
  ASSERT_NE(model, nullptr);
  WordCandidates word;
  word.letters = spelling->asking_words[400];
  for (WordId target = 380; target < 420; ++target) word.targets.push_back(target);
  const MatrixD values = values_of(LearnedSpellingFeatures(spelling, model), word);
  const SpellingModel::Word source(*model, word.letters);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto letters = spelling->answering_words[word.targets[i]];
    const double ratio = source.log_ratio(letters);
    const double length = static_cast<double>(letters.size() + word.letters.size()) / 2;
    EXPECT_EQ(values(i, 0), std::clamp(ratio / length, -4.0, 4.0));
    EXPECT_EQ(values(i, 1), std::clamp(ratio, -10.0, 25.0));
    EXPECT_NEAR(values(i, 2), 1 / (1 + 4 * std::exp(-values(i, 1))), 1e-12);
    EXPECT_LE(values(i, 3), 0);
  }
}

}  // namespace
}  // namespace wordbridge::learned_spelling_features_test
