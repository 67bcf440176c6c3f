#include "retrieval/rerank/transferred_reranker.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "retrieval/csls/csls.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "retrieval/rerank/reranked.h"

namespace wordbridge::transferred_reranker_test {
namespace {

struct Space {
  PlantedLanguages planted = planted_languages(500, 100, 1.0, 7);
  CommonSpace space{planted.identity(), planted.source, planted.target};
};

std::size_t right(const Candidates& best) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < best.queries; ++i) count += best.targets_of(i)[0] == i;
  return count;
}

TEST(TransferredReranker, TranslatesBetterThanCslsWithoutALexicon) {
  const Space given;
  const auto model = transfer_reranker(given.space, Lexicon());
  ASSERT_NE(model, nullptr);
  std::vector<AskingWord> words;
  for (WordId i = 0; i < 500; ++i) words.push_back({given.space.vocabulary(Side::source)[i], i});
  const ConstMatrixView vectors = given.space.table(Side::source);
  EXPECT_GT(right(Reranked(given.space, model).best_for(words, vectors, 1)),
            right(Csls(given.space).best(vectors, 1)) + 20);
}

TEST(TransferredReranker, WeightsAreThoseGiven) {
  const Space given;
  const std::vector<RerankModel::Feature> weights = {{"csls", 2, 0.5, 0.25}, {"edit", 1, 0, 1}, {"no such", 1, 0, 1}};
  const auto model = transfer_reranker(given.space, Lexicon(), {.weights = weights});
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(model->features.size(), 2u);
  EXPECT_EQ(model->features[0], weights[0]);
  EXPECT_EQ(model->features[1], weights[1]);
}

TEST(TransferredReranker, KnownPairsStayAndFoundOnesJoinThem) {
  const Space given;
  const Lexicon known({{0, 3}, {1, 2}});  // both are wrong: nothing that is found takes their place
  const auto model = transfer_reranker(given.space, known, {.words = 200});
  ASSERT_NE(model, nullptr);
  const Vocabulary& source = given.space.vocabulary(Side::source);
  std::set<std::string> first, second;
  for (const RerankModel::Pair& pair : model->pairs) {
    if (pair.source == source[0]) first.insert(pair.target);
    if (pair.source == source[1]) second.insert(pair.target);
    EXPECT_LT(source.find(pair.source).value(), 200u);
  }
  const Vocabulary& target = given.space.vocabulary(Side::target);
  EXPECT_EQ(first, std::set<std::string>{std::string(target[3])});
  EXPECT_EQ(second, std::set<std::string>{std::string(target[2])});
  EXPECT_GT(model->pairs.size(), 50u);
}

TEST(TransferredReranker, ThereIsNoneWithoutCognates) {
  const Space given;
  EXPECT_EQ(transfer_reranker(given.space, Lexicon(), {.features = "semantic,frequency"}), nullptr);
  EXPECT_EQ(transfer_reranker(given.space, Lexicon(), {.words = 1}), nullptr);
}

}  // namespace
}  // namespace wordbridge::transferred_reranker_test
