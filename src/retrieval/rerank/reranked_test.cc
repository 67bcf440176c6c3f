#include "retrieval/rerank/reranked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mapping/rerank_model.h"
#include "retrieval/csls/csls.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "retrieval/rerank/train_reranker.h"
#include "wordbridge/error.h"

namespace wordbridge::reranked_test {
namespace {

struct Trained {
  PlantedLanguages planted = planted_languages(400, 250, 1.0, 1);
  Mapping mapping = planted.identity();

  explicit Trained(const RerankOptions& options = {.large_lexicon = 250}) {
    mapping.reranker = train_reranker({planted.source.vocabulary(), planted.target.vocabulary(), planted.lexicon,
                                       [&](const Lexicon&) { return planted.space(); }},
                                      options)
                           .model;
  }
  CommonSpace space() const { return CommonSpace(mapping, planted.source, planted.target); }
};

/// The words behind the lexicon.
std::vector<AskingWord> new_words(const CommonSpace& space) {
  std::vector<AskingWord> words;
  for (WordId i = 250; i < 400; ++i) words.push_back({space.vocabulary(Side::source)[i], i});
  return words;
}

std::size_t right(const Candidates& best) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < best.queries; ++i) count += best.targets_of(i)[0] == 250 + i;
  return count;
}

TEST(Reranked, TranslatesNewWordsBetterThanCsls) {
  const Trained trained;
  ASSERT_NE(trained.mapping.reranker, nullptr);
  const CommonSpace space = trained.space();
  const ConstMatrixView vectors = space.table(Side::source).slice(250, 400);
  const Candidates best = Reranked(space).best_for(new_words(space), vectors, 5);
  EXPECT_GT(right(best), right(Csls(space).best(vectors, 5)) + 15);
  for (std::size_t i = 0; i < best.queries; ++i) {
    const auto scores = best.scores_of(i);
    EXPECT_TRUE(std::ranges::is_sorted(scores, std::greater<>()));
    EXPECT_LE(std::accumulate(scores.begin(), scores.end(), 0.0), 1 + 1e-9);
    EXPECT_GT(scores[4], 0);
  }
}

TEST(Reranked, BeyondItsCandidatesComesCsls) {
  const Trained trained;
  const CommonSpace space = trained.space();
  const auto words = new_words(space);
  const ConstMatrixView vectors = space.table(Side::source).slice(250, 400);
  const Reranked criterion(space);
  const Candidates few = criterion.best_for(words, vectors, 3), all = criterion.best_for(words, vectors, 1000);
  ASSERT_EQ(all.found, 400u);
  for (std::size_t i = 0; i < all.queries; ++i) {
    for (std::size_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(few.targets_of(i)[rank], all.targets_of(i)[rank]);
      EXPECT_EQ(few.scores_of(i)[rank], all.scores_of(i)[rank]);
    }
    EXPECT_EQ(all.scores_of(i)[399], 0);
    std::vector<WordId> targets(all.targets_of(i).begin(), all.targets_of(i).end());
    std::ranges::sort(targets);
    EXPECT_EQ(std::ranges::adjacent_find(targets), targets.end());
  }
}

TEST(Reranked, OneWordAtATimeIsTheSameAsAll) {
  const Trained trained;
  const CommonSpace together = trained.space(), alone = trained.space();
  const auto words = new_words(together);
  const Candidates all = Reranked(together).best_for(words, together.table(Side::source).slice(250, 400), 4);
  const Reranked criterion(alone);
  for (std::size_t i = 0; i < 10; ++i) {
    const Candidates one =
        criterion.best_for(std::span(words).subspan(i, 1), alone.table(Side::source).slice(250 + i, 251 + i), 4);
    EXPECT_TRUE(std::ranges::equal(one.targets, all.targets_of(i)));
    EXPECT_TRUE(std::ranges::equal(one.scores, all.scores_of(i)));
  }
}

TEST(Reranked, ReasonsAddUpToTheDifferenceOfScores) {
  const Trained trained(RerankOptions{});  // the softmax as it is: its log-ratio is the difference of scores
  const CommonSpace space = trained.space();
  const Reranked criterion(space);
  const auto words = new_words(space);
  const auto explained = criterion.explain(words[0], space.table(Side::source).row(250), 3);
  ASSERT_EQ(explained.size(), 3u);
  EXPECT_EQ(explained[0].rival, explained[1].target);
  EXPECT_EQ(explained[1].rival, explained[0].target);
  double sum = 0;
  for (const auto& reason : explained[0].reasons) sum += reason.contribution;
  EXPECT_NEAR(sum, std::log(explained[0].probability / explained[1].probability), 1e-9);
  EXPECT_GE(std::abs(explained[0].reasons[0].contribution), std::abs(explained[0].reasons[1].contribution));
}

TEST(Reranked, NeedsAModelAndWords) {
  const Trained trained;
  const CommonSpace space = trained.space();
  EXPECT_THROW(Reranked(space).best(space.table(Side::source), 1), UsageError);
  EXPECT_THROW(Reranked(CommonSpace(trained.planted.source, trained.planted.target)), UsageError);
  Trained odd;
  RerankModel model = *odd.mapping.reranker;
  model.features.push_back({"mood", 1, 0, 1});
  odd.mapping.reranker = std::make_shared<const RerankModel>(model);
  EXPECT_THROW(Reranked(odd.space()), UsageError);
}

TEST(Reranked, WorksWithoutTheWordsOfItsLexicon) {
  Trained trained;
  RerankModel model = *trained.mapping.reranker;
  for (auto& pair : model.pairs) pair.source += "?";
  trained.mapping.reranker = std::make_shared<const RerankModel>(model);
  const CommonSpace space = trained.space();
  const ConstMatrixView vectors = space.table(Side::source).slice(250, 400);
  EXPECT_GT(right(Reranked(space).best_for(new_words(space), vectors, 1)), right(Csls(space).best(vectors, 1)));
}

}  // namespace
}  // namespace wordbridge::reranked_test
