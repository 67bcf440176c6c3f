#include "retrieval/criterion_registry.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "parallel/communicator_test_support.h"
#include "retrieval/csls/csls.h"
#include "retrieval/sharded_induction.h"
#include "vectors/sharded_vectors_test_support.h"
#include "wordbridge/common_space.h"
#include "wordbridge/error.h"

namespace wordbridge::sharded_criteria_test {

Vocabulary numbered(std::size_t count) {
  Vocabulary words;
  for (std::size_t i = 0; i < count; ++i) words.add(std::to_string(i));
  return words;
}

ShardedVectors dealt(const Matrix& table, Communicator& communicator) {
  return shard(WordVectors(numbered(table.rows()), table), communicator);
}

void expect_same(const Candidates& found, const Candidates& expected) {
  EXPECT_EQ(found.queries, expected.queries);
  EXPECT_EQ(found.found, expected.found);
  EXPECT_EQ(found.targets, expected.targets);
  EXPECT_EQ(found.scores, expected.scores);
}

/// Tables of two blocks, with words that are alike, hubs, and zero rows.
class ShardedCriteriaTest : public testing::Test {
 protected:
  ShardedCriteriaTest()
      : source(random_unit_rows(kShardRows + 900, 6, 1)), target(random_unit_rows(kShardRows + 300, 6, 2)) {
    for (std::size_t i = 0; i < 500; ++i) std::ranges::copy(source.row(i), target.row(kShardRows + i / 2).begin());
    for (const std::size_t row : {std::size_t{7}, kShardRows + 11}) {
      std::ranges::fill(source.row(row), 0.0f);
      std::ranges::fill(target.row(row), 0.0f);
    }
  }

  CommonSpace whole() const {
    return CommonSpace(WordVectors(numbered(source.rows()), source), WordVectors(numbered(target.rows()), target));
  }

  Matrix source, target;
};

TEST_F(ShardedCriteriaTest, TheBestAreThoseOfWholeTables) {
  const CommonSpace space = whole();
  for (const char* name : {"nn", "csls"})
    for (const Side side : {Side::source, Side::target})
      for (const std::size_t queries : {std::size_t{40}, std::size_t{1500}}) {
        const ConstMatrixView asked = space.table(side).slice(20, 20 + queries);
        const Candidates expected = make_criterion(name, space, {.neighbors = 5}, side)->best(asked, 7);
        for (const int size : {1, 3})
          run_ranks(size, [&](Communicator& communicator) {
            const ShardedSpace sharded(dealt(source, communicator), dealt(target, communicator));
            expect_same(make_criterion(name, sharded, {.neighbors = 5}, side)->best(asked, 7), expected);
          });
      }
}

TEST_F(ShardedCriteriaTest, FewQueriesLearnFewStatistics) {
  run_ranks(2, [&](Communicator& communicator) {
    const ShardedSpace sharded(dealt(source, communicator), dealt(target, communicator));
    const Csls csls(sharded, {.neighbors = 10});
    csls.best(sharded.table(Side::source).gather_range(0, 5), 1);
    EXPECT_LT(csls.known_statistics(), target.rows() / 2);
    EXPECT_GT(csls.known_statistics(), 0u);
  });
}

TEST_F(ShardedCriteriaTest, InductionFindsThePairsOfWholeTables) {
  const CommonSpace space = whole();
  using enum InductionDirection;
  for (const InductionOptions& options :
       {InductionOptions{.direction = intersection, .count = 2, .last_word = 1200},
        InductionOptions{.criterion = "nn", .direction = either, .first_word = kShardRows - 100, .threshold = 0.9}}) {
    const auto expected = induce_lexicon(space, options);
    EXPECT_GT(expected.size(), 10u);
    run_ranks(2, [&](Communicator& communicator) {
      const ShardedSpace sharded(dealt(source, communicator), dealt(target, communicator));
      const auto found = induce_lexicon(sharded, options);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(std::tuple(found[i].source, found[i].target, found[i].rank),
                  std::tuple(expected[i].source, expected[i].target, expected[i].rank));
        EXPECT_EQ(std::tuple(found[i].score, found[i].margin), std::tuple(expected[i].score, expected[i].margin));
      }
    });
  }
}

TEST(ShardedCriteria, ATableWithHardlyAnyWords) {
  Matrix source = random_unit_rows(30, 4, 1), target = random_unit_rows(3, 4, 2);
  std::ranges::fill(target.row(1), 0.0f);
  const CommonSpace space(WordVectors(numbered(30), source), WordVectors(numbered(3), target));
  for (const char* name : {"nn", "csls"}) {
    const Candidates expected = make_criterion(name, space)->best(space.table(Side::source), 10);
    run_ranks(3, [&](Communicator& communicator) {
      const ShardedSpace sharded(dealt(source, communicator), dealt(target, communicator));
      expect_same(make_criterion(name, sharded, {})->best(space.table(Side::source), 10), expected);
    });
  }
}

TEST(ShardedCriteria, MappedVectorsHaveTheBitsOfAWholeTable) {
  const Matrix source = random_matrix(kShardRows + 1500, 5, 1), target = random_matrix(kShardRows + 10, 5, 2);
  const std::vector<Normalizer::Step> steps = Normalizer::parse("unit,center,unit");
  Matrix normalized_source = source, normalized_target = target;
  const Mapping mapping(random_matrix(5, 5, 3), Normalizer::fit(steps, normalized_source),
                        Normalizer::fit(steps, normalized_target));
  const CommonSpace space = CommonSpace::mapped(mapping, WordVectors(numbered(source.rows()), source),
                                                WordVectors(numbered(target.rows()), target));
  run_ranks(3, [&](Communicator& communicator) {
    const ShardedSpace sharded(mapping, dealt(source, communicator), dealt(target, communicator));
    for (const Side side : {Side::source, Side::target})
      EXPECT_EQ(sharded.table(side).gather_range(0, space.size(side)), Matrix::copy_of(space.table(side)));
  });
}

TEST(ShardedCriteria, OthersAreRefused) {
  for (const char* name : {"isf", "gc", "rerank", "none"}) EXPECT_THROW(require_sharded_criterion(name), UsageError);
  EXPECT_NO_THROW(require_sharded_criterion("csls"));
}

}  // namespace wordbridge::sharded_criteria_test
