#include "retrieval/rerank/cross_fitting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "parallel/threads_test_support.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::cross_fitting_test {
namespace {

std::shared_ptr<const SpellingResources> spelling_of(const PlantedLanguages& planted) {
  return std::make_shared<const SpellingResources>(planted.source.vocabulary(), planted.target.vocabulary());
}

Lexicon many_to_many(std::size_t words) {
  std::vector<Lexicon::Pair> pairs;
  for (WordId word = 0; word < words; ++word)
    for (WordId target = word; target < word + 1 + word % 3; ++target) pairs.push_back({word, target});
  return Lexicon(pairs);
}

TEST(MakeFolds, DivideTheWords) {
  const Lexicon lexicon = many_to_many(103);
  const auto folds = make_folds(lexicon);
  ASSERT_EQ(folds.size(), 2u);
  std::set<WordId> all;
  for (const Fold& fold : folds) {
    EXPECT_NO_THROW(require_no_leak(fold));
    EXPECT_EQ(fold.known.size() + fold.held_out.size(), lexicon.size());
    for (const WordId word : fold.held_out.source_words()) EXPECT_TRUE(all.insert(word).second);
  }
  EXPECT_EQ(all.size(), 103u);
}

TEST(MakeFolds, LargeLexiconsHoldOutRareWords) {
  const auto folds = make_folds(many_to_many(100), {.large_lexicon = 100});
  ASSERT_EQ(folds.size(), 1u);
  EXPECT_EQ(folds[0].held_out.source_words().size(), 30u);
  EXPECT_GE(folds[0].held_out.source_words().front(), 50u);
  EXPECT_NO_THROW(require_no_leak(folds[0]));
}

TEST(MakeFolds, SmallLexicons) {
  EXPECT_TRUE(make_folds(Lexicon()).empty());
  EXPECT_TRUE(make_folds(many_to_many(1)).empty());
  EXPECT_EQ(make_folds(many_to_many(3)).size(), 2u);
  const auto first = make_folds(many_to_many(50), {.seed = 1}), second = make_folds(many_to_many(50), {.seed = 2});
  EXPECT_NE(first[0].held_out.source_words(), second[0].held_out.source_words());
}

TEST(CrossFit, APlantedLeakIsCaught) {
  const PlantedLanguages planted = planted_languages(80, 40, 0.1, 2);
  std::vector<Fold> folds = make_folds(planted.lexicon);
  std::vector<Lexicon::Pair> known(folds[1].known.pairs().begin(), folds[1].known.pairs().end());
  known.push_back({folds[1].held_out.pairs()[0].source, 77});  // another pair of a word that is held out
  folds[1].known = Lexicon(known);
  const RerankProblem problem{planted.source.vocabulary(), planted.target.vocabulary(), planted.lexicon,
                              [&](const Lexicon&) { return planted.space(); }};
  EXPECT_THROW(cross_fit(problem, folds, nullptr, FeatureChoice::parse("semantic")), UsageError);
}

/// A map that knows the pairs by heart and nothing else: it moves each known source word to its target.
struct ByHeart {
  const PlantedLanguages& planted;
  std::vector<Lexicon::Pair> seen = {};

  LearnSpace learner() {
    return [this](const Lexicon& pairs) {
      seen.insert(seen.end(), pairs.pairs().begin(), pairs.pairs().end());
      return planted.space();
    };
  }
};

TEST(CrossFit, HeldOutPairsReachNeitherMapNorFeatures) {
  // Pairs at random: nothing but the pair itself tells the answer.
  PlantedLanguages planted = planted_languages(200, 0, 5.0, 3);
  std::vector<Lexicon::Pair> pairs;
  for (WordId i = 0; i < 100; ++i) pairs.push_back({i, (i * 37 + 11) % 200});
  const Lexicon lexicon(pairs);
  const auto folds = make_folds(lexicon);
  for (const Fold& fold : folds) {
    ByHeart by_heart{planted};
    const RerankProblem problem{planted.source.vocabulary(), planted.target.vocabulary(), lexicon, by_heart.learner()};
    const CrossFittedWords held_out = cross_fit(problem, std::span(&fold, 1), spelling_of(planted), {});
    const std::vector<WordId> own = fold.held_out.source_words();
    for (const Lexicon::Pair& pair : by_heart.seen) EXPECT_FALSE(std::ranges::binary_search(own, pair.source));
    EXPECT_EQ(held_out.words.size(), own.size());
    // No target of these words is a lexicon target, because each pair has its own.
    const auto column =
        static_cast<std::size_t>(std::ranges::find(held_out.features, "lexicon target") - held_out.features.begin());
    for (const CrossFittedWord& word : held_out.words)
      for (std::size_t i = 0; i < word.right.size(); ++i) EXPECT_EQ(word.right[i] * word.features(i, column), 0);
  }
}

TEST(CrossFit, SameBitsForAnyNumberOfThreads) {
  const PlantedLanguages planted = planted_languages(150, 60, 0.3, 5);
  const RerankProblem problem{planted.source.vocabulary(), planted.target.vocabulary(), planted.lexicon,
                              [&](const Lexicon&) { return planted.space(); }};
  const auto folds = make_folds(planted.lexicon);
  std::vector<CrossFittedWords> results;
  for (const int threads : {1, 3}) {
    const WithThreads with(threads);
    results.push_back(cross_fit(problem, folds, spelling_of(planted), {}));
  }
  ASSERT_EQ(results[0].words.size(), 60u);
  EXPECT_EQ(results[0].features, results[1].features);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(results[0].words[i].features, results[1].words[i].features);
    EXPECT_EQ(results[0].words[i].right, results[1].words[i].right);
  }
}

}  // namespace
}  // namespace wordbridge::cross_fitting_test
