#include "linalg/rows.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "linalg/sharded_rows_test_support.h"
#include "parallel/communicator_test_support.h"

namespace wordbridge::rows_test {

TEST(ShardedRows, EverybodyGetsTheRowsAskedFor) {
  const Matrix table = random_matrix(3 * kShardRows + 100, 3, 1);
  const std::vector<std::uint32_t> numbers = {3 * kShardRows + 99, 0, kShardRows, kShardRows - 1, 0, 2 * kShardRows};
  for (int size = 1; size <= 5; ++size)
    run_ranks(size, [&](Communicator& communicator) {
      const Matrix own = own_rows(table, RowShards(communicator));
      const ShardedRows rows{own, table.rows(), &communicator};
      EXPECT_EQ(rows.gather(numbers), gather_rows(table, numbers));
      EXPECT_EQ(rows.gather({}).rows(), 0u);
      EXPECT_EQ(rows.gather_range(kShardRows - 2, kShardRows + 2),
                Matrix::copy_of(table.view().slice(kShardRows - 2, kShardRows + 2)));
    });
}

TEST(FetchedRows, AreThoseOfTheTable) {
  const Matrix table = random_matrix(2 * kShardRows + 40, 3, 4);
  const std::vector<std::vector<std::uint32_t>> first = {{5, kShardRows + 1}, {}, {5, 2 * kShardRows}},
                                                second = {{kShardRows + 1, 7}};
  for (const int size : {1, 3})
    run_ranks(size, [&](Communicator& communicator) {
      const Matrix own = own_rows(table, RowShards(communicator));
      FetchedRows fetched(ShardedRows{own, table.rows(), &communicator});
      for (const auto& lists : {first, second}) {
        fetched.fetch(lists);
        const auto places = fetched.places(lists);
        for (std::size_t i = 0; i < lists.size(); ++i)
          for (std::size_t j = 0; j < lists[i].size(); ++j)
            EXPECT_TRUE(std::ranges::equal(fetched.rows().row(places[i][j]), table.row(lists[i][j])));
      }
      EXPECT_EQ(fetched.rows().rows(), size == 1 ? table.rows() : 4u);
    });
}

TEST(ShardedRows, WhatHoldsForAll) {
  const Matrix table(3, 2);
  EXPECT_TRUE(ShardedRows::whole(table).all(true));
  EXPECT_FALSE(ShardedRows::whole(table).all(false));
  run_ranks(3, [&](Communicator& communicator) {
    const ShardedRows rows{table, 3, &communicator};
    EXPECT_TRUE(rows.all(true));
    EXPECT_FALSE(rows.all(communicator.rank() != 1));
  });
}

}  // namespace wordbridge::rows_test
