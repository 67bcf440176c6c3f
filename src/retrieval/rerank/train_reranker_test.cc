#include "retrieval/rerank/train_reranker.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "parallel/threads_test_support.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::train_reranker_test {
namespace {

TrainedReranker train(const PlantedLanguages& planted, const RerankOptions& options = {}) {
  return train_reranker({planted.source.vocabulary(), planted.target.vocabulary(), planted.lexicon,
                         [&](const Lexicon&) { return planted.space(); }},
                        options);
}

TEST(TrainReranker, SpellingHelpsWhereVectorsMislead) {
  const TrainedReranker trained = train(planted_languages(400, 250, 1.0, 1));
  ASSERT_NE(trained.model, nullptr);
  EXPECT_EQ(trained.words, 250u);
  EXPECT_GT(trained.reranked, trained.csls + 10);
  EXPECT_EQ(trained.model->pairs.size(), 250u);
  EXPECT_TRUE(trained.model->spelling.has_value());
  EXPECT_FALSE(trained.model->calibration.has_value());  // too few words
  EXPECT_NEAR(trained.reranked - trained.csls,
              100.0 * (static_cast<double>(trained.gained) - static_cast<double>(trained.lost)) / 250, 1e-9);
}

TEST(TrainReranker, LexiconsThatAreLargeEnoughAreCalibrated) {
  const TrainedReranker trained = train(planted_languages(400, 250, 1.0, 1), {.large_lexicon = 250});
  ASSERT_NE(trained.model, nullptr);
  ASSERT_TRUE(trained.model->calibration.has_value());
  EXPECT_EQ(trained.model->calibration->terms.front().name, "log-odds");
}

TEST(TrainReranker, FamiliesCanBeLeftOut) {
  const TrainedReranker trained = train(planted_languages(400, 250, 1.0, 1), {.features = "spelling,frequency"});
  ASSERT_NE(trained.model, nullptr);
  for (const auto& feature : trained.model->features) EXPECT_NE(feature.name, "csls");
  EXPECT_EQ(trained.model->families, "spelling,frequency");
  EXPECT_THROW(train(planted_languages(40, 30, 0.6, 1), {.features = "colors"}), UsageError);
}

TEST(TrainReranker, TooFewWordsGiveNone) {
  const TrainedReranker trained = train(planted_languages(100, 10, 0.6, 1));
  EXPECT_EQ(trained.model, nullptr);
  EXPECT_EQ(trained.words, 0u);
}

/// Held-out words whose first candidate is right as often as said, and features that are noise.
CrossFittedWords noise(std::size_t words, double first_right, std::uint64_t seed) {
  Random random(seed);
  CrossFittedWords all{{"a", "b", "c"}, std::vector<CrossFittedWord>(words)};
  for (std::size_t i = 0; i < words; ++i) {
    CrossFittedWord& word = all.words[i];
    word.word = static_cast<WordId>(i);
    word.group = i % 5;
    word.features = MatrixD(10, 3);
    for (double& value : word.features.elements()) value = random.normal();
    word.right.assign(10, 0);
    word.right[random.uniform() < first_right ? 0 : 1 + random.index(9)] = 1;
  }
  return all;
}

TEST(TrainOn, WhatDoesNotHelpIsNotKept) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    EXPECT_EQ(train_on(noise(200, 0.5, seed), 200).model, nullptr) << seed;
}

TEST(TrainOn, WhatHelpsIsKept) {
  CrossFittedWords words = noise(200, 0.5, 1);
  for (CrossFittedWord& word : words.words)
    for (std::size_t i = 0; i < 10; ++i) word.features(i, 1) += 3 * word.right[i];
  const TrainedReranker trained = train_on(words, 200);
  ASSERT_NE(trained.model, nullptr);
  EXPECT_GT(trained.model->features[1].weight, 3 * std::abs(trained.model->features[0].weight));
  EXPECT_GT(trained.reranked, 80);
}

TEST(TrainOn, SmallLexiconsAreDrawnToThePrior) {
  CrossFittedWords words = noise(40, 0.5, 1);
  for (CrossFittedWord& word : words.words)
    for (std::size_t i = 0; i < 10; ++i) word.features(i, 1) += 3 * word.right[i];
  const std::vector<RerankModel::Feature> prior = {{"b", 2, 0.5, 4}, {"unknown", 7, 0, 1}};
  const auto strong = train_on(words, 40, {.prior = prior, .prior_weight = 1000}).model;
  ASSERT_NE(strong, nullptr);
  EXPECT_NEAR(strong->features[1].weight, 2, 0.01);
  EXPECT_NEAR(strong->features[0].weight, 0, 0.01);
  EXPECT_EQ(strong->features[1].mean, 0.5);
  EXPECT_EQ(strong->features[1].deviation, 4);
  EXPECT_EQ(strong->features.size(), 3u);
  const auto weak = train_on(words, 40, {.prior = prior, .prior_weight = 1e-3}).model;
  EXPECT_GT(weak->features[1].weight, 2.5);
}

/// Copies are always among the candidates; half of the words have one as a known translation beside another one that
/// column 1 tells, the others have that one alone.
CrossFittedWords with_copies(std::size_t words) {
  CrossFittedWords all = noise(words, 0.5, 3);
  all.features = {"equal", "b", "c"};
  for (std::size_t i = 0; i < words; ++i) {
    CrossFittedWord& word = all.words[i];
    for (std::size_t j = 0; j < 10; ++j) {
      word.features(j, 0) = j == 9 ? 1 : 0;
      word.features(j, 1) += 3 * word.right[j];
    }
    if (i % 2 == 0) word.right[9] = 1;
  }
  return all;
}

TEST(TrainOn, CopiesTeachAsMuchAsTheyAreAskedTo) {
  const CrossFittedWords words = with_copies(300);
  const auto weight = [&](Copies copies) {
    const auto model = train_on(words, 3000, {.copies = copies}).model;
    return model ? model->features[0].weight : std::nan("");
  };
  EXPECT_GT(weight(Copies::keep), weight(Copies::learn));
  EXPECT_GT(weight(Copies::learn), weight(Copies::drop));
  EXPECT_LT(weight(Copies::drop), 0);
  EXPECT_EQ(parse_copies("drop"), Copies::drop);
  EXPECT_THROW(parse_copies("lose"), UsageError);
}

TEST(Untranslated, AreCopiesBesideOtherTranslations) {
  const Vocabulary source(std::vector<std::string>{"bank", "taxi", "house"});
  const Vocabulary target(std::vector<std::string>{"taxi", "bank", "banque", "maison"});
  const Lexicon lexicon({{0, 1}, {0, 2}, {1, 0}, {2, 3}});
  EXPECT_EQ(count_untranslated(lexicon, source, target), 1u);  // bank: bank, banque; taxi has no other
  EXPECT_EQ(count_untranslated(Lexicon(), source, target), 0u);
}

TEST(TrainReranker, LexiconsOfOneTranslationAreTold) {
  const TrainedReranker trained = train(planted_languages(400, 250, 1.0, 1));
  EXPECT_TRUE(trained.one_translation);
  EXPECT_EQ(trained.several, 0);
  ASSERT_NE(trained.model, nullptr);
  EXPECT_FALSE(trained.model->translations.has_value());  // other languages know more
}

TEST(TrainReranker, SameBitsForAnyNumberOfThreads) {
  const PlantedLanguages planted = planted_languages(200, 100, 0.6, 8);
  std::vector<TrainedReranker> results;
  for (const int threads : {1, 3}) {
    const WithThreads with(threads);
    results.push_back(train(planted));
  }
  ASSERT_NE(results[0].model, nullptr);
  EXPECT_EQ(*results[0].model, *results[1].model);
}

}  // namespace
}  // namespace wordbridge::train_reranker_test
