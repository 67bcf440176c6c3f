#include "vectors/column_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::column_sums_test {

using testing::ElementsAre;

TEST(ColumnSums, BlocksAreSummedByThemselvesWithoutZeroRows) {
  Matrix table(kColumnSumRows + 2, 2);
  table(0, 0) = 1, table(0, 1) = 2;
  table(kColumnSumRows - 1, 0) = 3;
  table(kColumnSumRows + 1, 1) = -4;
  const std::vector<ColumnSums> blocks = column_sums(table);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_THAT(blocks[0].sums, ElementsAre(4, 2));
  EXPECT_EQ(blocks[0].rows, 2u);
  EXPECT_THAT(blocks[1].sums, ElementsAre(0, -4));
  EXPECT_EQ(blocks[1].rows, 1u);
  EXPECT_TRUE(column_sums(Matrix(0, 2)).empty());
}

TEST(ColumnSums, Means) {
  EXPECT_THAT(means_of(std::vector<double>{3, -6}, 3), ElementsAre(1, -2));
  EXPECT_THAT(means_of(std::vector<double>{0, 0}, 0), ElementsAre(0, 0));
}

}  // namespace wordbridge::column_sums_test
