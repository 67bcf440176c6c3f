#include "space/unit_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "linalg/random_matrix_test_support.h"
#include "space/nonzero_rows.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::unit_rows_test {
namespace {

TEST(UnitRows, NormalizesAndCountsZeroRows) {
  Matrix table = random_matrix(5000, 7, 1);
  std::fill_n(table.row(3).data(), 7, 0.0f);
  std::fill_n(table.row(4999).data(), 7, 0.0f);
  Matrix expected = table;
  normalize_rows(expected);
  const UnitRows rows = UnitRows::normalized(table);
  EXPECT_EQ(Matrix::copy_of(rows.rows()), expected);
  EXPECT_EQ(rows.size(), 5000u);
  EXPECT_EQ(rows.nonzero(), 4998u);
  EXPECT_TRUE(rows.is_zero(3));
  EXPECT_TRUE(rows.is_zero(4999));
  EXPECT_FALSE(rows.is_zero(4));
  EXPECT_GE(rows.largest_norm(), 1 - 1e-6);
  EXPECT_LE(rows.largest_norm(), 1 + 1e-6);
}

TEST(UnitRows, NoRowIsLongerThanTheLargestNorm) {
  const UnitRows rows = UnitRows::normalized(random_matrix(300, 33, 2));
  for (WordId i = 0; i < rows.size(); ++i) {
    long double square = 0;
    for (const float value : rows[i]) square += static_cast<long double>(value) * value;
    EXPECT_LE(std::sqrt(square), rows.largest_norm());
  }
}

TEST(UnitRows, AViewStaysWhereItIs) {
  auto table = std::make_shared<const Matrix>(random_unit_rows(10, 4, 1));
  const float* data = table->data();
  const UnitRows rows = UnitRows::view(*table, table);
  const std::weak_ptr<const Matrix> alive = table;
  table.reset();
  EXPECT_EQ(rows.rows().data(), data);
  EXPECT_FALSE(alive.expired());
  const UnitRows copy = rows;
  EXPECT_EQ(copy.rows().data(), data);
}

TEST(UnitRows, LengthsMeasuredInPartsAreThoseOfAll) {
  Matrix table = random_unit_rows(1000, 6, 3);
  std::fill_n(table.row(3).data(), 6, 0.0f);
  std::fill_n(table.row(999).data(), 6, 0.0f);
  RowLengths lengths = RowLengths::of(table.view().slice(0, 400), 0);
  lengths.append(RowLengths::of(table.view().slice(400, 1000), 400));
  const UnitRows all = UnitRows::view(table), parts = UnitRows::view(table, nullptr, lengths);
  EXPECT_EQ(parts.largest_norm(), all.largest_norm());
  EXPECT_EQ(parts.nonzero(), all.nonzero());
  for (WordId i = 0; i < table.rows(); ++i) EXPECT_EQ(parts.is_zero(i), all.is_zero(i));
  lengths.append({.largest = 2, .least = 2, .zeros = {}});
  EXPECT_THROW(UnitRows::view(table, nullptr, lengths), UsageError);
}

TEST(UnitRows, CopiesOnlyWhatIsNotOfLengthOne) {
  const Matrix unit = random_unit_rows(10, 4, 1), raw = random_matrix(10, 4, 1);
  EXPECT_EQ(UnitRows::of(unit).rows().data(), unit.data());
  EXPECT_NE(UnitRows::of(raw).rows().data(), raw.data());
  EXPECT_EQ(UnitRows::of(Matrix(3, 2)).nonzero(), 0u);
}

TEST(UnitRows, RefusesOtherLengths) {
  EXPECT_THROW(UnitRows::take(random_matrix(10, 4, 1)), UsageError);
  Matrix table = random_unit_rows(10, 4, 1);
  table(7, 2) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(UnitRows::view(table), UsageError);
}

TEST(NonzeroRows, AreAViewOrACopy) {
  const Matrix table = random_unit_rows(5, 3, 1);
  const UnitRows all = UnitRows::view(table);
  EXPECT_EQ(NonzeroRows(all).rows().data(), table.data());
  Matrix holes = table;
  std::fill_n(holes.row(1).data(), 3, 0.0f);
  const UnitRows some = UnitRows::view(holes);
  const NonzeroRows nonzero(some);
  ASSERT_EQ(nonzero.rows().rows(), 4u);
  EXPECT_EQ(nonzero.rows()(1, 0), table(2, 0));
}

}  // namespace
}  // namespace wordbridge::unit_rows_test
