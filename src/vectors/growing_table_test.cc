#include "vectors/growing_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace wordbridge::growing_table_test {
namespace {

TEST(GrowingTable, KeepsEveryRowWhileItGrows) {
  GrowingTable table(300);
  const std::size_t rows = 5000;  // 6 MB: several times the first size
  for (std::size_t i = 0; i < rows; ++i) table.append(std::vector<float>(300, static_cast<float>(i)));
  const Matrix matrix = table.take();
  ASSERT_EQ(matrix.rows(), rows);
  ASSERT_EQ(matrix.cols(), 300u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.data()) % 64, 0u);
  for (std::size_t i = 0; i < rows; ++i) {
    EXPECT_EQ(matrix(i, 0), static_cast<float>(i));
    EXPECT_EQ(matrix(i, 299), static_cast<float>(i));
  }
}

TEST(GrowingTable, ReservedRowsAreNoRowsAndMoreMayCome) {
  GrowingTable table(10);
  table.reserve(50'000);  // 2 MB
  EXPECT_EQ(table.rows(), 0u);
  const std::size_t rows = 120'000;
  for (std::size_t i = 0; i < rows; ++i) table.append(std::vector<float>(10, static_cast<float>(i)));
  table.reserve(7);  // less than there is
  const Matrix matrix = table.take();
  ASSERT_EQ(matrix.rows(), rows);
  for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(matrix(i, 9), static_cast<float>(i));
  GrowingTable unused(10);
  unused.reserve(1000);
  EXPECT_EQ(unused.take().rows(), 0u);
}

TEST(GrowingTable, EmptyHasItsDimension) {
  GrowingTable table(7);
  const Matrix matrix = table.take();
  EXPECT_EQ(matrix.rows(), 0u);
  EXPECT_EQ(matrix.cols(), 7u);
}

TEST(GrowingTable, ARowLargerThanTheFirstSize) {
  GrowingTable table(std::size_t{1} << 20);
  table.append(std::vector<float>(std::size_t{1} << 20, 2.0f));
  EXPECT_EQ(table.take()(0, 1000), 2.0f);
}

}  // namespace
}  // namespace wordbridge::growing_table_test
