#include "wordbridge/normalizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::normalizer_test {
namespace {

using Step = Normalizer::Step;
using Steps = std::vector<Step>;

Matrix rows(std::initializer_list<std::initializer_list<float>> values) {
  Matrix matrix(values.size(), values.begin()->size());
  std::size_t i = 0;
  for (const auto& row : values) std::copy(row.begin(), row.end(), matrix.row(i++).begin());
  return matrix;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(Normalizer, ParsesChainsAndNamesThem) {
  EXPECT_EQ(Normalizer::parse("unit"), Steps{Step::unit});
  EXPECT_EQ(Normalizer::parse("unit,center,unit"), (Steps{Step::unit, Step::center, Step::unit}));
  EXPECT_EQ(Normalizer::parse("none"), Steps{});
  for (const char* wrong :
       {"", "unit,", ",unit", "Unit", "unit center", "unit,none", "none,", "unit,,center", "length"})
    EXPECT_THROW(Normalizer::parse(wrong), UsageError) << wrong;
  Matrix table = random_matrix(4, 3, 1);
  for (const char* chain : {"none", "unit", "center", "unit,center,unit"})
    EXPECT_EQ(Normalizer::fit(Normalizer::parse(chain), table).name(), chain);
}

TEST(Normalizer, UnitKnownAnswer) {
  Matrix table = rows({{3, 4}, {0, -2}, {0, 0}, {-0.0f, 0}});
  Normalizer::fit(Steps{Step::unit}, table);
  EXPECT_EQ(table, rows({{0.6f, 0.8f}, {0, -1}, {0, 0}, {0, 0}}));
  EXPECT_TRUE(std::signbit(table(3, 0))) << "a zero row stays as it is";
}

TEST(Normalizer, CenterKnownAnswerWithAZeroRowOutsideTheMean) {
  Matrix table = rows({{1, 10}, {3, 20}, {0, 0}});
  const Normalizer normalizer = Normalizer::fit(Steps{Step::center}, table);
  ASSERT_EQ(normalizer.means().size(), 1u);
  EXPECT_EQ(normalizer.means()[0], (std::vector<float>{2, 15}));
  EXPECT_EQ(table, rows({{-1, -5}, {1, 5}, {0, 0}}));
}

TEST(Normalizer, ChainKnownAnswer) {
  // unit: (0.6, 0.8), (1, 0); mean (0.8, 0.4); center: (-0.2, 0.4), (0.2, -0.4); unit: ±(1, -2) / sqrt(5).
  Matrix table = rows({{3, 4}, {7, 0}});
  Normalizer::fit(Steps{Step::unit, Step::center, Step::unit}, table);
  const double expected[] = {-1 / std::sqrt(5.0), 2 / std::sqrt(5.0)};
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(table(0, j), expected[j], 1e-7);
    EXPECT_NEAR(table(1, j), -expected[j], 1e-7);
  }
}

TEST(Normalizer, LengthsAndMeansAreWhatTheyShouldBe) {
  for (const std::size_t dimension : {1, 2, 7, 8, 9, 15, 300}) {
    Matrix table = random_matrix(200, dimension, dimension);
    Normalizer::fit(Steps{Step::unit}, table);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      double square = 0;
      for (const float value : table.row(i)) square += static_cast<double>(value) * value;
      ASSERT_NEAR(square, 1, 1e-6);
    }
    Normalizer::fit(Steps{Step::center}, table);
    for (std::size_t j = 0; j < dimension; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < table.rows(); ++i) sum += table(i, j);
      ASSERT_NEAR(sum / 200, 0, 1e-7);
    }
  }
}

TEST(Normalizer, UnitOfUnitMovesNoValueByMoreThanItsLastBit) {
  Matrix once = random_matrix(500, 50, 5);
  normalize_rows(once);
  Matrix twice = once;
  normalize_rows(twice);
  for (std::size_t i = 0; i < once.size(); ++i) {
    const float a = once.data()[i], b = twice.data()[i];
    ASSERT_TRUE(a == b || std::nextafter(a, b) == b) << a << " " << b;
  }
}

TEST(Normalizer, TheSmallestAndTheLargestRowsGetUnitLength) {
  const float tiny = std::numeric_limits<float>::denorm_min(), huge = std::numeric_limits<float>::max();
  Matrix table = rows({{tiny, 0}, {huge, huge}, {huge, tiny}});
  normalize_rows(table);
  EXPECT_EQ(table(0, 0), 1);
  EXPECT_NEAR(table(1, 0), std::sqrt(0.5), 1e-7);
  EXPECT_EQ(table(2, 0), 1);
}

TEST(Normalizer, AppliedAgainItDoesExactlyWhatFittingDid) {
  const Matrix raw = random_matrix(5000, 20, 6);
  for (const char* chain : {"none", "unit", "center", "unit,center", "unit,center,unit,center,unit"}) {
    Matrix fitted = raw, applied = raw;
    const Normalizer normalizer = Normalizer::fit(Normalizer::parse(chain), fitted);
    normalizer.apply(applied);
    EXPECT_TRUE(same_bits(applied, fitted)) << chain;

    // Also to a part alone, and from stored parts.
    Matrix part = Matrix::copy_of(raw.view().slice(4000, 4100));
    Normalizer::from_parts(normalizer.steps(), normalizer.means()).apply(part);
    EXPECT_TRUE(same_bits(part, Matrix::copy_of(fitted.view().slice(4000, 4100)))) << chain;
  }
}

TEST(Normalizer, MeansAreNotFittedAnew) {
  Matrix table = rows({{1, 1}, {3, 3}});
  const Normalizer normalizer = Normalizer::fit(Steps{Step::center}, table);
  Matrix other = rows({{12, 2}});
  normalizer.apply(other);
  EXPECT_EQ(other, rows({{10, 0}}));
}

TEST(Normalizer, ZeroRowsStayThroughAnyChain) {
  Matrix table = random_matrix(50, 6, 7);
  for (float& value : table.row(3)) value = 0;
  for (float& value : table.row(49)) value = 0;
  Matrix without = Matrix::uninitialized(48, 6);
  for (std::size_t i = 0, next = 0; i < 50; ++i)
    if (i != 3 && i != 49) std::copy_n(table.row(i).data(), 6, without.row(next++).data());
  const auto steps = Normalizer::parse("unit,center,unit,center");
  const Normalizer with_zeros = Normalizer::fit(steps, table);
  EXPECT_EQ(with_zeros, Normalizer::fit(steps, without)) << "zero rows are outside the means";
  for (const std::size_t i : {std::size_t{3}, std::size_t{49}})
    for (const float value : table.row(i)) EXPECT_EQ(value, 0);
  EXPECT_EQ(table(48, 2), without(47, 2));
}

TEST(Normalizer, EmptyTablesAndAllZeroTables) {
  Matrix nothing(0, 4), zeros(3, 4);
  EXPECT_EQ(Normalizer::fit(Steps{Step::unit, Step::center}, nothing).means()[0], std::vector<float>(4, 0));
  EXPECT_EQ(Normalizer::fit(Steps{Step::center, Step::unit}, zeros).means()[0], std::vector<float>(4, 0));
  EXPECT_EQ(zeros, Matrix(3, 4));
}

TEST(Normalizer, TheNumberOfThreadsDoesNotMatter) {
  const Matrix raw = random_matrix(20'000, 10, 8);
  const auto steps = Normalizer::parse("unit,center,unit");
  const WithThreads one_thread(1);
  Matrix expected = raw;
  const Normalizer one = Normalizer::fit(steps, expected);
  for (const int threads : {2, 5}) {
    const WithThreads scope(threads);
    Matrix table = raw;
    EXPECT_EQ(Normalizer::fit(steps, table), one);
    EXPECT_TRUE(same_bits(table, expected)) << threads;
  }
}

TEST(Normalizer, StridedRowsAreNormalizedWhereTheyAre) {
  Matrix whole = rows({{9, 3, 4}, {9, 0, 5}});
  normalize_rows(MatrixView(whole.data() + 1, 2, 2, 3));
  EXPECT_EQ(whole, rows({{9, 0.6f, 0.8f}, {9, 0, 1}}));
}

}  // namespace
}  // namespace wordbridge::normalizer_test
