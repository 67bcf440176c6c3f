#include "vectors/unit_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/random_matrix_test_support.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::unit_row_test {
namespace {

/// Values of all sizes, and some rows that are zero.
Matrix some_rows(std::size_t dimension) {
  Matrix rows = random_matrix(60, dimension, dimension + 1);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (float& value : rows.row(i)) value = i % 9 == 4 ? 0.0f : std::ldexp(value, 10 * static_cast<int>(i % 25) - 120);
  if (dimension > 0) rows(0, dimension / 2) = std::numeric_limits<float>::max();
  if (dimension > 0) rows(1, dimension - 1) = std::numeric_limits<float>::denorm_min();
  return rows;
}

TEST(UnitRow, TheSameBitsByAllKernels) {
  for (const std::size_t dimension : {0, 1, 3, 4, 7, 8, 9, 16, 300, 301, 303}) {
    Matrix portable = some_rows(dimension), fast = portable, whole = portable;
    for (std::size_t i = 0; i < portable.rows(); ++i) {
      EXPECT_EQ(row_kernel().squared_length(fast.row(i).data(), dimension),
                kPortableRows.squared_length(portable.row(i).data(), dimension));
      kPortableRows.to_unit(portable.row(i).data(), dimension);
      row_kernel().to_unit(fast.row(i).data(), dimension);
    }
    normalize_rows(whole);
    EXPECT_EQ(fast, portable) << "dimension " << dimension;
    EXPECT_EQ(whole, portable) << "dimension " << dimension;
  }
}

TEST(UnitRow, TellsValuesThatAreNotFinite) {
  std::vector<float> values(37, -std::numeric_limits<float>::max());
  EXPECT_TRUE(all_finite(values.data(), values.size()));
  EXPECT_TRUE(all_finite(values.data(), 0));
  for (const std::size_t place : {0, 8, 31, 32, 36})
    for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
      const float before = std::exchange(values[place], bad);
      EXPECT_FALSE(all_finite(values.data(), values.size())) << place << ' ' << bad;
      values[place] = before;
    }
}

TEST(UnitRow, LengthOneOrZero) {
  Matrix rows = some_rows(300);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const bool zero = is_zero(rows.row(i));
    kPortableRows.to_unit(rows.row(i).data(), rows.cols());
    double square = 0;
    for (const float value : rows.row(i)) square += static_cast<double>(value) * value;
    EXPECT_NEAR(square, zero ? 0 : 1, 1e-6) << "row " << i;
  }
}

}  // namespace
}  // namespace wordbridge::unit_row_test
