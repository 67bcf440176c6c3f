#include "retrieval/gc/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "retrieval/gc/ranks_test_support.h"

namespace wordbridge::ranks_test {

namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

TEST(ListedRanks, AreExact) {
  const RankCase tables = rank_case();
  const TableSearch search(tables.sources.rows());
  ListedRanks ranks(search, tables.targets);
  const std::vector<RankQuestion> questions = questions_about(tables, kUnlimited);
  const auto listed = ranks.ranks(questions);
  for (std::size_t i = 0; i < questions.size(); ++i)
    EXPECT_EQ(listed[i], count_nearer(tables, questions[i])) << "question " << i;
}

// Higher scores are answered from the lists that there are, lower ones make them longer.
TEST(ListedRanks, InAnyOrder) {
  const RankCase tables = rank_case();
  const TableSearch search(tables.sources.rows());
  ListedRanks ranks(search, tables.targets);
  std::vector<RankQuestion> questions = questions_about(tables, kUnlimited);
  for (const bool highest_first : {false, true, false}) {
    std::ranges::sort(questions, [=](const RankQuestion& a, const RankQuestion& b) {
      return highest_first ? a.score > b.score : a.score < b.score;
    });
    for (const RankQuestion& question : questions)
      ASSERT_EQ(ranks.ranks({&question, 1})[0], count_nearer(tables, question));
  }
}

TEST(ListedRanks, AboveWhatIsEnough) {
  const RankCase tables = rank_case();
  const TableSearch search(tables.sources.rows());
  ListedRanks ranks(search, tables.targets);
  RankQuestion question = questions_about(tables, kUnlimited)[3];
  const std::size_t rank = count_nearer(tables, question);
  ASSERT_GT(rank, 0u);
  question.enough = rank - 1;
  EXPECT_EQ(ranks.ranks({&question, 1})[0], std::nullopt);
  question.enough = rank;
  EXPECT_EQ(ranks.ranks({&question, 1})[0], rank);
}

// What is listed already may be more than enough; then a target is not looked at again, and the answer is the same.
TEST(ListedRanks, ListedIsEnough) {
  const RankCase tables = rank_case();
  const TableSearch search(tables.sources.rows());
  ListedRanks ranks(search, tables.targets);
  std::vector<RankQuestion> questions = questions_about(tables, kUnlimited);
  std::ranges::sort(questions, [](const RankQuestion& a, const RankQuestion& b) { return a.score > b.score; });
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const std::size_t rank = count_nearer(tables, questions[i]);
    questions[i].enough = i % 4 == 0 ? kUnlimited : rank * (i % 4) / 2;
    EXPECT_EQ(ranks.ranks({&questions[i], 1})[0],
              rank > questions[i].enough ? std::nullopt : std::optional<std::size_t>(rank));
  }
}

TEST(ListedRanks, ExpectedQuestionsChangeNoAnswer) {
  const RankCase tables = rank_case();
  const TableSearch search(tables.sources.rows());
  ListedRanks ranks(search, tables.targets);
  const std::vector<RankQuestion> questions = questions_about(tables, kUnlimited);
  for (std::size_t i = 0; i < questions.size(); i += 3)
    ranks.expect(questions[i].target, questions[i].score - (i % 2 == 0 ? 0.2f : -0.1f));
  const auto listed = ranks.ranks(questions);
  for (std::size_t i = 0; i < questions.size(); ++i)
    EXPECT_EQ(listed[i], count_nearer(tables, questions[i])) << "question " << i;
}

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

}  // namespace wordbridge::ranks_test
