#include "vectors/row_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace wordbridge::row_blocks_test {

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

/// Rows 0, 1, 2, ... in blocks of the given sizes; row i holds i and -i.
class CutSource final : public VectorSource {
 public:
  explicit CutSource(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)) {}
  std::size_t dimension() const override { return 2; }
  std::optional<std::uint64_t> promised_rows() const override { return std::nullopt; }
  const ReadSummary& summary() const override { return summary_; }
  std::optional<VectorBlock> next() override {
    if (at_ == sizes_.size()) return std::nullopt;
    VectorBlock block{{}, Matrix::uninitialized(sizes_[at_++], 2)};
    for (std::size_t i = 0; i < block.rows.rows(); ++i, ++row_) {
      block.words.push_back(std::to_string(row_));
      block.rows(i, 0) = static_cast<float>(row_);
      block.rows(i, 1) = -static_cast<float>(row_);
    }
    return block;
  }

 private:
  std::vector<std::size_t> sizes_;
  std::size_t at_ = 0, row_ = 0;
  ReadSummary summary_;
};

TEST(EvenBlocks, HoldTheSameRowsHoweverTheyWereCut) {
  const std::vector<std::vector<std::size_t>> cuts = {{23},         {1, 22},     {5, 5, 5, 5, 3},
                                                      {7, 7, 7, 2}, {10, 1, 12}, std::vector<std::size_t>(23, 1)};
  for (const auto& sizes : cuts) {
    ASSERT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), 23u);
    CutSource source(sizes);
    EvenBlocks blocks(source, 5);
    std::size_t row = 0;
    while (const auto block = blocks.next()) {
      EXPECT_EQ(block->words.size(), row < 20 ? 5u : 3u);
      ASSERT_EQ(block->rows.rows(), block->words.size());
      for (std::size_t i = 0; i < block->words.size(); ++i, ++row) {
        EXPECT_EQ(block->words[i], std::to_string(row));
        EXPECT_EQ(block->rows(i, 0), static_cast<float>(row));
        EXPECT_EQ(block->rows(i, 1), -static_cast<float>(row));
      }
    }
    EXPECT_EQ(row, 23u);
    EXPECT_FALSE(blocks.next());
  }
}

TEST(EvenBlocks, NothingComesFromNothing) {
  CutSource source({});
  EXPECT_FALSE(EvenBlocks(source).next());
}

TEST(EvenBlocks, TheUsualSizeIsAMultipleOfTheUnit) {
  CutSource source({50'000});
  EvenBlocks blocks(source);
  EXPECT_EQ(blocks.next()->words.size() % EvenBlocks::kUnit, 0u);
}

}  // namespace

}  // namespace wordbridge::row_blocks_test
