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

}  // namespace wordbridge::rows_test
