#include "retrieval/csls/bound_slacks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/search_cases_test_support.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::bound_slacks_test {
namespace {

TEST(BoundSlacks, LargestNormIsNotBelowAny) {
  for (const Spread spread : {Spread::kGaussian, Spread::kSparse, Spread::kTiny, Spread::kMixedNorms}) {
    const Matrix table = random_rows(spread, 5000, 7, 1);
    const RowNorms norms = row_norms(table);
    std::size_t eligible = 0;
    double largest = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      double square = 0;
      for (const float value : table.row(i)) square += double{value} * double{value};
      eligible += square > 0;
      largest = std::max(largest, std::sqrt(square));
    }
    EXPECT_EQ(norms.eligible, eligible) << name_of(spread);
    EXPECT_GE(norms.largest, largest) << name_of(spread);
    EXPECT_LE(norms.largest, largest * 1.000001 + 1e-22) << name_of(spread);
  }
}

TEST(BoundSlacks, ASearchOverUnitRowsKnowsTheirNorms) {
  Matrix table = random_rows(Spread::kSparse, 500, 7, 1);
  normalize_rows(table);
  const RowNorms measured = row_norms(table), known = row_norms(TableSearch(UnitRows::view(table)));
  EXPECT_EQ(known.eligible, measured.eligible);
  EXPECT_NEAR(known.largest, measured.largest, 1e-6);
  EXPECT_EQ(row_norms(TableSearch(table)).largest, measured.largest);
}

TEST(BoundSlacks, OfAnEmptyTable) {
  EXPECT_EQ(row_norms(Matrix(0, 3)).eligible, 0u);
  EXPECT_EQ(row_norms(Matrix(5, 3)).largest, 0);
}

// d roundings of 2^-24 of the product of the norms, and hardly more.
TEST(BoundSlacks, GrowWithTheNorms) {
  EXPECT_GT(mean_slack(300, 10, 1, 1), 300 * 0x1.0p-24);
  EXPECT_LT(mean_slack(300, 10, 1, 1), 320 * 0x1.0p-24);
  EXPECT_NEAR(mean_slack(300, 10, 3, 2), 6 * mean_slack(300, 10, 1, 1), 1e-12);
  EXPECT_GT(score_slack(300, 1, 1, 1), 2 * 300 * 0x1.0p-24);
  EXPECT_LT(score_slack(300, 1, 1, 1), 2 * 320 * 0x1.0p-24);
  EXPECT_TRUE(std::isinf(mean_slack(300, 10, 0x1.0p100, 0x1.0p100)));
}

}  // namespace
}  // namespace wordbridge::bound_slacks_test
