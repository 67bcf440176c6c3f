#include "linalg/blas.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"

namespace wordbridge::blas_test {
namespace {

/// sum_l a(i, l) b(j, l) in double: the slow twin of all products here.
template <class T>
MatrixD naive_abt(BasicView<const T> a, BasicView<const T> b) {
  MatrixD c(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < b.rows(); ++j)
      for (std::size_t l = 0; l < a.cols(); ++l) c(i, j) += static_cast<double>(a(i, l)) * b(j, l);
  return c;
}

template <class T>
void expect_close(const BasicMatrix<T>& found, const MatrixD& expected, double tolerance) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  for (std::size_t i = 0; i < found.rows(); ++i)
    for (std::size_t j = 0; j < found.cols(); ++j) ASSERT_NEAR(found(i, j), expected(i, j), tolerance) << i << "," << j;
}

template <class T>
bool same_bits(const BasicMatrix<T>& a, const BasicMatrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(Blas, KnownProducts) {
  Matrix a(2, 3), b(2, 3);
  for (std::size_t i = 0; i < 6; ++i) {
    a.data()[i] = static_cast<float>(i + 1);  // 1 2 3 / 4 5 6
    b.data()[i] = static_cast<float>(i);      // 0 1 2 / 3 4 5
  }
  const Matrix abt = multiply_abt(a, b);
  EXPECT_EQ(abt(0, 0), 8);
  EXPECT_EQ(abt(0, 1), 26);
  EXPECT_EQ(abt(1, 0), 17);
  EXPECT_EQ(abt(1, 1), 62);
  const MatrixD atb = multiply_atb(a, b);
  EXPECT_EQ(atb.rows(), 3u);
  EXPECT_EQ(atb(0, 0), 12);
  EXPECT_EQ(atb(2, 1), 27);
  EXPECT_EQ(multiply(a, transpose(b)), abt);
}

TEST(Blas, AgreesWithTheNaiveProductOverOddShapes) {
  std::uint64_t seed = 1;
  for (const std::size_t m : {1, 2, 7, 1023, 1024, 1025, 2500})
    for (const std::size_t d : {1, 3, 33}) {
      const std::size_t n = 5;
      const Matrix a = random_matrix(m, d, ++seed), b = random_matrix(n, d, ++seed);
      const MatrixD a_d = to_double(a), b_d = to_double(b);
      const MatrixD expected = naive_abt<float>(a, b);
      expect_close(multiply_abt(a, b), expected, 1e-4);
      expect_close(multiply_abt(a_d, b_d), expected, 1e-12);
      expect_close(multiply(a, transpose(b)), expected, 1e-4);
      expect_close(multiply(a_d, transpose(b_d)), expected, 1e-12);
      Matrix into(m, n);
      multiply_abt_into(a, b, into);
      expect_close(into, expected, 1e-4);
      add_abt_to(a, b, into);
      for (float& value : into.elements()) value /= 2;
      expect_close(into, expected, 1e-4);
    }
}

TEST(Blas, SumsOverRowsAreDoubleThroughout) {
  std::uint64_t seed = 100;
  for (const std::size_t m : {1, 1024, 1025, 9000}) {
    const Matrix a = random_matrix(m, 4, ++seed), b = random_matrix(m, 3, ++seed);
    const MatrixD expected = naive_abt<float>(transpose(a), transpose(b));
    expect_close(multiply_atb(a, b), expected, 1e-10);
    expect_close(multiply_atb(to_double(a), to_double(b)), expected, 1e-10);
  }
  // 2^24 + 1 + 1 + ...: a float sum would stay at 2^24.
  Matrix ones(1001, 1);
  for (float& value : ones.elements()) value = 1;
  ones(0, 0) = 4096;
  EXPECT_EQ(multiply_atb(ones, ones)(0, 0), 16777216.0 + 1000);
}

TEST(Blas, EmptyShapes) {
  const Matrix nothing(0, 4), some = random_matrix(3, 4, 1), no_columns(3, 0);
  EXPECT_EQ(multiply_abt(nothing, some).rows(), 0u);
  EXPECT_EQ(multiply_abt(some, nothing).cols(), 0u);
  EXPECT_EQ(multiply_abt(no_columns, no_columns), Matrix(3, 3));
  EXPECT_EQ(multiply_atb(nothing, nothing), MatrixD(4, 4));
  EXPECT_EQ(multiply_atb(some, no_columns).cols(), 0u);
}

TEST(Blas, StridedViewsAreRead) {
  const Matrix whole = random_matrix(20, 9, 3);
  const ConstMatrixView part(whole.data() + 2, 20, 5, 9);
  const Matrix copy = Matrix::copy_of(part);
  expect_close(multiply_abt(part, part), naive_abt<float>(copy, copy), 1e-4);
  expect_close(multiply_atb(part, part), naive_abt<float>(transpose(copy), transpose(copy)), 1e-10);
  Matrix wide(20, 30);
  multiply_abt_into(part, part, MatrixView(wide.data() + 4, 20, 20, 30));
  EXPECT_EQ(wide(3, 3), 0);
  EXPECT_NEAR(wide(3, 4 + 7), naive_abt<float>(copy, copy)(3, 7), 1e-4);
  EXPECT_EQ(wide(3, 24), 0);
}

TEST(Blas, TheNumberOfThreadsDoesNotMatter) {
  const Matrix a = random_matrix(5000, 60, 4), b = random_matrix(70, 60, 5), c = random_matrix(5000, 31, 6);
  const WithThreads one_thread(1);
  const Matrix abt = multiply_abt(a, b);
  const MatrixD atb = multiply_atb(a, c);
  for (const int threads : {2, 3, 5}) {
    const WithThreads scope(threads);
    EXPECT_TRUE(same_bits(multiply_abt(a, b), abt)) << threads;
    EXPECT_TRUE(same_bits(multiply_atb(a, c), atb)) << threads;
  }
}

TEST(Blas, TransposeTurnsRowsIntoColumns) {
  const Matrix matrix = random_matrix(3, 5, 7);
  const Matrix turned = transpose(matrix);
  ASSERT_EQ(turned.rows(), 5u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(turned(j, i), matrix(i, j));
  EXPECT_EQ(transpose(turned), matrix);
}

TEST(Blas, NamesItsCore) { EXPECT_GT(std::strlen(blas_core_name()), 0u); }

TEST(Blas, MatrixTimesVectorIsAProductWithOneColumn) {
  for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 3}, {2500, 30}, {30, 2500}}) {
    const Matrix a = random_matrix(rows, cols, rows + cols);
    const Matrix x = random_matrix(1, cols, 1), y = random_matrix(1, rows, 2);
    const std::vector<float> ax = multiply(a.view(), x.row(0)), aty = multiply_transposed(a.view(), y.row(0));
    const Matrix slow_ax = multiply_abt(a, x), slow_aty = multiply(y, a);
    ASSERT_EQ(ax.size(), rows);
    ASSERT_EQ(aty.size(), cols);
    for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(ax[i], slow_ax(i, 0), 1e-3);
    for (std::size_t j = 0; j < cols; ++j) EXPECT_NEAR(aty[j], slow_aty(0, j), 1e-3);
  }
}

/// So that sums may be cut there: over blocks in turn, or over processes.
TEST(Blas, ProductsOfBlocksAddUpToThatOfAll) {
  const MatrixD a = to_double(random_matrix(2 * kProductRows + 100, 5, 1)),
                b = to_double(random_matrix(2 * kProductRows + 100, 4, 2));
  MatrixD sum(5, 4);
  for (std::size_t begin = 0; begin < a.rows(); begin += kProductRows) {
    const std::size_t end = std::min(a.rows(), begin + kProductRows);
    const MatrixD part = multiply_atb(a.view().slice(begin, end), b.view().slice(begin, end));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  EXPECT_EQ(sum, multiply_atb(a, b));
}

}  // namespace
}  // namespace wordbridge::blas_test
