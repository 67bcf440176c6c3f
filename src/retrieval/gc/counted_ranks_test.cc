#include "retrieval/gc/counted_ranks.h"

#include <gtest/gtest.h>

#include "retrieval/gc/ranks_test_support.h"

namespace wordbridge::counted_ranks_test {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

TEST(CountedRanks, CountsExactly) {
  const RankCase tables = rank_case();
  const CountedRanks ranks(tables.sources, tables.targets);
  const std::vector<RankQuestion> questions = questions_about(tables, kUnlimited);
  const auto counted = ranks.ranks(questions);
  ASSERT_EQ(counted.size(), questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i)
    EXPECT_EQ(counted[i], count_nearer(tables, questions[i])) << "question " << i;
}

TEST(CountedRanks, EndsWhereItIsEnough) {
  const RankCase tables = rank_case();
  const CountedRanks ranks(tables.sources, tables.targets);
  std::vector<RankQuestion> questions = questions_about(tables, 0);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    questions[i].enough = count_nearer(tables, questions[i]);
    if (i % 2 == 1 && questions[i].enough > 0) --questions[i].enough;
  }
  const auto counted = ranks.ranks(questions);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const std::size_t rank = count_nearer(tables, questions[i]);
    EXPECT_EQ(counted[i], rank <= questions[i].enough ? std::optional(rank) : std::nullopt) << "question " << i;
  }
}

TEST(CountedRanks, WithoutSources) {
  const Matrix targets = random_unit_rows(2, 4, 1);
  const UnitRows zeros = UnitRows::take(Matrix(3, 4));
  const CountedRanks ranks(zeros, targets);
  EXPECT_EQ(ranks.ranks(std::vector<RankQuestion>{{1, 0.5f, 0}})[0], 0u);
  EXPECT_TRUE(ranks.ranks({}).empty());
}

}  // namespace
}  // namespace wordbridge::counted_ranks_test
