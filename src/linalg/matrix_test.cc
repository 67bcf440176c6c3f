#include "wordbridge/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace wordbridge::matrix_test {
namespace {

Matrix counting(std::size_t rows, std::size_t cols) {
  Matrix matrix(rows, cols);
  float next = 0;
  for (float& value : matrix.elements()) value = next++;
  return matrix;
}

TEST(Matrix, IsZeroAtFirstRowMajorAndAligned) {
  for (const std::size_t cols : {1, 3, 16, 17}) {
    Matrix matrix(5, cols);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.data()) % 64, 0u);
    for (const float value : matrix.elements()) EXPECT_EQ(value, 0);
    matrix(2, cols - 1) = 8;
    EXPECT_EQ(matrix.data()[2 * cols + cols - 1], 8);
    EXPECT_EQ(matrix.row(2).back(), 8);
  }
}

TEST(Matrix, EmptyShapesKeepTheirSides) {
  const Matrix no_rows(0, 7), no_cols(7, 0);
  EXPECT_TRUE(no_rows.empty());
  EXPECT_EQ(no_rows.cols(), 7u);
  EXPECT_TRUE(no_cols.empty());
  EXPECT_EQ(no_cols.rows(), 7u);
  EXPECT_TRUE(no_cols.row(6).empty());
  EXPECT_EQ(Matrix(no_cols), no_cols);
  EXPECT_FALSE(no_rows == no_cols);
  EXPECT_TRUE(Matrix().empty());
}

TEST(Matrix, AShapeThatCannotBeIsRefused) {
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(Matrix::uninitialized(std::size_t{1} << 33, std::size_t{1} << 31), std::bad_alloc);  // 2^66 bytes: 0
  EXPECT_THROW(Matrix::uninitialized(huge, 1), std::bad_alloc);
  EXPECT_THROW(Matrix::uninitialized(1, huge), std::bad_alloc);
  EXPECT_THROW(MatrixD::uninitialized(huge / 8, 2), std::bad_alloc);
}

TEST(Matrix, CopiesAreTheirOwnAndMovesTakeTheMemory) {
  Matrix a = counting(2, 3);
  Matrix b = a;
  b(0, 0) = 100;
  EXPECT_EQ(a(0, 0), 0);
  EXPECT_FALSE(a == b);
  const float* memory = a.data();
  Matrix c = std::move(a);
  EXPECT_EQ(c.data(), memory);
  EXPECT_EQ(a.rows(), 0u);  // NOLINT(bugprone-use-after-move): a moved-from matrix is empty
  a = c;
  EXPECT_EQ(a, c);
  EXPECT_NE(a.data(), c.data());
}

TEST(Matrix, AdoptedMemoryLivesAsLongAsTheMatrix) {
  auto owner = std::make_shared<std::array<float, 6>>(std::array<float, 6>{1, 2, 3, 4, 5, 6});
  const std::weak_ptr<void> watch = owner;
  {
    float* data = owner->data();
    const Matrix matrix = Matrix::adopt(data, 2, 3, std::move(owner));
    EXPECT_EQ(matrix(1, 2), 6);
    EXPECT_FALSE(watch.expired());
    const Matrix copy = matrix;
    EXPECT_NE(copy.data(), matrix.data());
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Matrix, ViewsSliceAndStride) {
  Matrix matrix = counting(4, 3);
  const ConstMatrixView middle = matrix.view().slice(1, 3);
  EXPECT_EQ(middle.rows(), 2u);
  EXPECT_EQ(middle(0, 0), 3);
  EXPECT_EQ(middle(1, 2), 8);
  EXPECT_TRUE(matrix.view().slice(4, 4).empty());

  // The last two columns of each row.
  const MatrixView right(matrix.data() + 1, 4, 2, 3);
  EXPECT_EQ(right(3, 1), 11);
  right(3, 1) = 50;
  EXPECT_EQ(matrix(3, 2), 50);
  const Matrix copy = Matrix::copy_of(right);
  EXPECT_EQ(copy.cols(), 2u);
  EXPECT_EQ(copy(2, 0), 7);
  EXPECT_EQ(copy(3, 1), 50);
}

TEST(Matrix, TruncationKeepsTheFirstRows) {
  Matrix matrix = counting(4, 2);
  matrix.truncate_rows(3);
  EXPECT_EQ(matrix, counting(3, 2));
  matrix.truncate_rows(0);
  EXPECT_TRUE(matrix.empty());
}

TEST(Matrix, IdentityAndConversions) {
  const MatrixD identity = MatrixD::identity(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(identity(i, j), i == j ? 1 : 0);

  MatrixD precise(1, 2);
  precise(0, 0) = 1.0 + 0x1.0p-24;      // halfway between two floats: to even
  precise(0, 1) = 1.0 + 3 * 0x1.0p-24;  // halfway again, the even one is above
  const Matrix rounded = to_float(precise);
  EXPECT_EQ(rounded(0, 0), 1.0f);
  EXPECT_EQ(rounded(0, 1), 1.0f + 0x1.0p-22f);
  EXPECT_EQ(to_float(to_double(rounded)), rounded);
}

TEST(Matrix, RowsThatAreZero) {
  const std::vector<float> zeros = {0.0f, -0.0f}, tiny = {0.0f, std::numeric_limits<float>::denorm_min()};
  EXPECT_TRUE(is_zero(zeros));
  EXPECT_TRUE(is_zero({}));
  EXPECT_FALSE(is_zero(tiny));
}

TEST(Matrix, Scale) {
  Matrix m(1, 3);
  m(0, 0) = 1.5f;
  m(0, 2) = -4;
  scale(m, 0.5);
  EXPECT_THAT(m.elements(), ::testing::ElementsAre(0.75f, 0.0f, -2.0f));
}

}  // namespace
}  // namespace wordbridge::matrix_test
