#include "evaluation/item_retrieval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::item_retrieval_test {
namespace {

using ::testing::ElementsAre;
using Kind = RetrievalMeasure::Kind;

Candidates lists(std::vector<std::vector<WordId>> rows) {
  Candidates found{rows.size(), rows.front().size(), {}, {}};
  for (const auto& row : rows) found.targets.insert(found.targets.end(), row.begin(), row.end());
  found.scores.resize(found.targets.size());
  return found;
}

double value(const RetrievalEvaluation& evaluation, const RetrievalResult& result, const std::string& measure,
             std::size_t query) {
  for (std::size_t m = 0; m < evaluation.measures().size(); ++m)
    if (evaluation.measures()[m].name() == measure) return result.values[m][query];
  ADD_FAILURE() << "no measure " << measure;
  return -1;
}

TEST(ItemRetrieval, OwnItemsAndOldNeighbors) {
  const Matrix items = random_matrix(6, 3, 1);
  RetrievalTruth truth;
  truth.own = {{0}, {1}, {2}};
  truth.old = lists({{0, 3, 4}, {1, 3, 5}, {2, 0, 1}});
  const RetrievalEvaluation evaluation(truth, items, {1, 3});
  const RetrievalResult result = evaluation.of("x", "nn", lists({{0, 4, 5}, {5, 4, 1}, {3, 4, 5}}));
  EXPECT_EQ(value(evaluation, result, "own@1", 0), 1);
  EXPECT_EQ(value(evaluation, result, "own@1", 1), 0);
  EXPECT_EQ(value(evaluation, result, "own@3", 1), 1);
  EXPECT_EQ(value(evaluation, result, "own@3", 2), 0);
  EXPECT_DOUBLE_EQ(value(evaluation, result, "mrr@3", 1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(value(evaluation, result, "kept@3", 0), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(evaluation, result, "kept@3", 2), 0);
  EXPECT_THAT(result.own_rank, ElementsAre(1, 3, 0));
  EXPECT_THAT(result.first, ElementsAre(0, 5, 3));
  EXPECT_NEAR(result.means[0].percent, 100.0 / 3, 1e-9);
  EXPECT_LT(result.means[0].low, 100.0 / 3);
  EXPECT_GT(result.means[0].high, 100.0 / 3);
  EXPECT_THAT(evaluation.worst(result, 2), ElementsAre(2, 1));
}

TEST(ItemRetrieval, ItemsThatAreEqualAreOneAndTheSame) {
  Matrix items = random_matrix(4, 3, 1);
  std::ranges::copy(items.row(0), items.row(3).begin());
  RetrievalTruth truth;
  truth.own = {{0}};
  const RetrievalEvaluation evaluation(truth, items, {1});
  EXPECT_EQ(evaluation.of("x", "nn", lists({{3}})).own_rank.front(), 1u);
  EXPECT_EQ(evaluation.of("x", "nn", lists({{2}})).own_rank.front(), 0u);
}

TEST(ItemRetrieval, GradesGiveTheGainOfTrecEval) {
  RetrievalTruth truth;
  truth.grades = {{{4, 2}, {1, 1}, {5, 1}}};
  const Matrix items = random_matrix(6, 3, 1);
  const RetrievalEvaluation evaluation(truth, items, {3});
  const RetrievalResult result = evaluation.of("x", "nn", lists({{0, 4, 1}}));
  const double gained = 2 / std::log2(3) + 1 / std::log2(4), most = 2 + 1 / std::log2(3) + 1 / std::log2(4);
  EXPECT_DOUBLE_EQ(value(evaluation, result, "ndcg@3", 0), gained / most);
  EXPECT_DOUBLE_EQ(value(evaluation, result, "recall@3", 0), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(evaluation, result, "relevant_mrr@3", 0), 0.5);
}

TEST(ItemRetrieval, MeasuresFollowFromWhatIsKnown) {
  const Matrix items = random_matrix(6, 3, 1);
  const auto names = [&](RetrievalTruth truth, std::vector<std::size_t> at) {
    std::vector<std::string> found;
    const RetrievalEvaluation evaluation(std::move(truth), items, std::move(at));
    for (const auto& measure : evaluation.measures()) found.push_back(measure.name());
    return found;
  };
  EXPECT_THAT(names({.own = {{0}}}, {10, 1, 10}), ElementsAre("own@1", "own@10", "mrr@10"));
  EXPECT_THAT(names({.old = lists({{0, 1, 2}})}, {1, 2, 3, 4}), ElementsAre("kept@2", "kept@3"))
      << "no more than found";
  EXPECT_THAT(names({.grades = {{{0, 1}}}}, {1, 10}),
              ElementsAre("ndcg@10", "recall@1", "recall@10", "relevant_mrr@10"));
  EXPECT_THROW(names({}, {1}), UsageError);
  EXPECT_THROW(names({.own = {{0}}}, {0}), UsageError);
}

TEST(ItemRetrieval, CrowdsAreThirds) {
  const Matrix items = random_matrix(6, 3, 1);
  RetrievalTruth truth;
  truth.own = {{0}, {1}, {2}, {3}, {4}, {5}};
  truth.crowding = {0.9, 0.1, 0.5, 0.8, 0.2, 0.6};
  const RetrievalEvaluation evaluation(truth, items, {1});
  const auto crowds = evaluation.by_crowding(evaluation.of("x", "nn", lists({{5}, {1}, {2}, {0}, {4}, {5}})));
  ASSERT_EQ(crowds.size(), 3u);
  EXPECT_EQ(crowds[0].queries, 2u);
  EXPECT_EQ(crowds[0].to, 0.2);
  EXPECT_EQ(crowds[0].means[0].percent, 100);
  EXPECT_EQ(crowds[2].from, 0.8);
  EXPECT_EQ(crowds[2].means[0].percent, 0);
}

}  // namespace
}  // namespace wordbridge::item_retrieval_test
