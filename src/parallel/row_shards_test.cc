#include "parallel/row_shards.h"

#include <gtest/gtest.h>

#include <vector>

namespace wordbridge::row_shards_test {

TEST(RowShards, EveryRowHasOneOwnerAndOnePlace) {
  for (int size = 1; size <= 4; ++size)
    for (const std::size_t rows :
         {std::size_t{0}, std::size_t{1}, kShardRows, 2 * kShardRows + 1, 7 * kShardRows - 5}) {
      std::vector<std::size_t> next(static_cast<std::size_t>(size), 0);
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t owner = RowShards(0, size).owner(row);
        ASSERT_EQ(RowShards(0, size).place(row), next[owner]++);
        for (int rank = 0; rank < size; ++rank) {
          const RowShards shards(rank, size);
          ASSERT_EQ(shards.owns(row), owner == static_cast<std::size_t>(rank));
          ASSERT_TRUE(!shards.owns(row) || shards.number(shards.place(row)) == row);
        }
      }
      for (int rank = 0; rank < size; ++rank)
        EXPECT_EQ(RowShards(rank, size).own_of(rows), next[static_cast<std::size_t>(rank)]);
    }
}

}  // namespace wordbridge::row_shards_test
