#include "search/sharded_search.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "linalg/sharded_rows_test_support.h"
#include "parallel/communicator_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/int8_search.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::sharded_search_test {

/// Two blocks and a bit, with rows that are equal to others far away, and some that are zero.
Matrix awkward_table() {
  Matrix table = random_unit_rows(2 * kShardRows + 50, 5, 1);
  for (const std::size_t row : {std::size_t{3}, kShardRows + 7, 2 * kShardRows + 49})
    std::ranges::fill(table.row(row), 0.0f);
  for (std::size_t i = 0; i < 40; ++i) std::ranges::copy(table.row(i + 10), table.row(kShardRows + i + 100).begin());
  return table;
}

TEST(ShardedSearch, FindsWhatASearchOverTheWholeTableFinds) {
  const Matrix table = awkward_table(), queries = Matrix::copy_of(table.view().slice(0, 25));
  const Neighbors expected = BruteForceSearch(table).search(queries, 10);
  for (int size = 1; size <= 4; ++size)
    run_ranks(size, [&](Communicator& communicator) {
      const Matrix own = own_rows(table, RowShards(communicator));
      const ShardedRows rows{own, table.rows(), &communicator};
      const BruteForceSearch brute_force(own);
      EXPECT_EQ(difference(expected, ShardedSearch(brute_force, rows).search(queries, 10)), "");
      const Int8Search int8(own);
      EXPECT_EQ(difference(expected, ShardedSearch(int8, rows).search(queries, 10)), "");
    });
}

TEST(ShardedSearch, MoreNeighborsThanAPartHasRows) {
  const Matrix table = random_unit_rows(kShardRows + 3, 4, 2), queries = random_unit_rows(5, 4, 3);
  const Neighbors expected = BruteForceSearch(table).search(queries, 20);
  run_ranks(4, [&](Communicator& communicator) {  // two of them have no rows
    const Matrix own = own_rows(table, RowShards(communicator));
    const ShardedRows rows{own, table.rows(), &communicator};
    const BruteForceSearch search(own);
    EXPECT_EQ(difference(expected, ShardedSearch(search, rows).search(queries, 20)), "");
    EXPECT_EQ(ShardedSearch(search, rows).search(queries.view().slice(0, 0), 20).queries, 0u);
  });
}

TEST(ShardedSearch, BothSidesInOnePass) {
  const Matrix source = awkward_table(), target = random_unit_rows(kShardRows + 90, 5, 8);
  const TwoSidedNeighbors expected = two_sided_search(source.view(), target.view(), 6);
  for (const int size : {1, 3})
    run_ranks(size, [&](Communicator& communicator) {
      const RowShards shards(communicator);
      const Matrix own_source = own_rows(source, shards), own_target = own_rows(target, shards);
      const TwoSidedNeighbors found = two_sided_search(ShardedRows{own_source, source.rows(), &communicator},
                                                       ShardedRows{own_target, target.rows(), &communicator}, 6);
      EXPECT_EQ(difference(expected.of_source, found.of_source), "");
      EXPECT_EQ(difference(expected.of_target, found.of_target), "");
    });
}

TEST(ShardedSearch, OfAWholeTableIsTheSearchItself) {
  const Matrix table = random_unit_rows(300, 5, 1), queries = random_unit_rows(9, 5, 2);
  const BruteForceSearch brute_force(table);
  const ShardedSearch whole(brute_force);
  const Neighbors expected = brute_force.search(queries, 4);
  std::vector<float> bounds;
  for (std::size_t i = 0; i < queries.rows(); ++i) bounds.push_back(expected.scores_of(i).back());
  EXPECT_TRUE(whole.table().is_whole());
  EXPECT_EQ(difference(expected, whole.search(queries, 4)), "");
  EXPECT_EQ(difference(expected, whole.search_above(queries, 4, bounds)), "");
}

TEST(ShardedMovingSearch, QueriesThatMoveFindTheSameAndBringTheRows) {
  const Matrix table = awkward_table();
  const BruteForceSearch whole(table);
  run_ranks(3, [&](Communicator& communicator) {
    const Matrix own = own_rows(table, RowShards(communicator));
    const Int8Search index(own);
    ShardedMovingSearch search(index.make_moving(), {own, table.rows(), &communicator});
    Matrix queries = random_unit_rows(80, 5, 4);
    const Matrix moves = random_matrix(80, 5, 5);
    std::vector<std::uint32_t> slots(80);
    for (std::uint32_t i = 0; i < 80; ++i) slots[i] = i;
    for (int step = 0; step < 5; ++step) {
      const Neighbors found = search.search(queries, slots, 4);
      EXPECT_EQ(difference(whole.search(queries, 4), found), "");
      for (const std::uint32_t id : found.ids) EXPECT_TRUE(std::ranges::equal(search.row(id), table.row(id)));
      for (std::size_t i = 0; i < queries.size(); ++i) queries.data()[i] += 0.02f * moves.data()[i];
    }
  });
}

}  // namespace wordbridge::sharded_search_test
