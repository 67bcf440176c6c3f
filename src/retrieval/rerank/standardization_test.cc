#include "retrieval/rerank/standardization.h"

#include <gtest/gtest.h>

#include <array>

namespace wordbridge::standardization_test {
namespace {

TEST(Standardization, KnownAnswer) {
  MatrixD first(2, 2), second(2, 2);
  first(0, 0) = 1, first(1, 0) = 3, second(0, 0) = 5, second(1, 0) = 7;  // mean 4, squares 9 + 1 + 1 + 9
  first(0, 1) = first(1, 1) = second(0, 1) = second(1, 1) = 2;           // the same everywhere
  const std::array<const MatrixD*, 2> tables = {&first, &second};
  const Standardization standard = Standardization::fit(tables);
  EXPECT_DOUBLE_EQ(standard.means()[0], 4);
  EXPECT_DOUBLE_EQ(standard.deviations()[0] * standard.deviations()[0], 5);
  EXPECT_DOUBLE_EQ(standard.deviations()[1], 1);
  standard.apply(first);
  EXPECT_DOUBLE_EQ(first(0, 0) * standard.deviations()[0], -3);
  EXPECT_DOUBLE_EQ(first(0, 1), 0);
}

TEST(Standardization, CutsWhatIsFarAway) {
  const Standardization standard({0, 1}, {1, 0.5});
  MatrixD row(1, 2);
  row(0, 0) = 100, row(0, 1) = -100;
  standard.apply(row);
  EXPECT_EQ(row(0, 0), 6);
  EXPECT_EQ(row(0, 1), -6);
}

}  // namespace
}  // namespace wordbridge::standardization_test
