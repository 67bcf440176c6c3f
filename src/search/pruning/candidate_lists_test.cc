#include "search/pruning/candidate_lists.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "search/kernels/kernel_choice.h"
#include "search/rounding.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::candidate_lists_test {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bounds of a score that overflowed say only that it is large; one that underflowed may be off by half a denormal.
void add_with_bounds(CandidateLists& lists, std::size_t list, const Matrix& queries, const Matrix& rows,
                     std::uint32_t row, double width) {
  const float* query = queries.row(list).data();
  double sum = 0;
  for (std::size_t j = 0; j < rows.cols(); ++j) sum += double{query[j]} * double{rows(row, j)};
  const double off = width * std::fabs(sum) + 0x1.0p-50 * std::fabs(sum);
  const double above = (sum + off) / lists.unit();
  if (above < double{lists.lower_bound(list)}) return;
  lists.add(list, query, row, (sum - off) / lists.unit(), above);
}

// Rows come in any order, with bounds tight and wide, from lists that are large enough and lists that are always full;
// the answer is that of the scores alone.
TEST(CandidateLists, TheBestOfAllRowsWhateverTheirBounds) {
  Random random(2);
  for (const Spread spread : all_spreads())
    for (const std::size_t room : {2, 5, 300}) {
      const std::size_t k = 1 + random.index(8), d = 1 + random.index(9);
      const Matrix queries = random_rows(spread, 6, d, random.bits()),
                   rows = random_rows(spread, 250, d, random.bits());
      const double unit = random.index(2) == 0 ? 1 : spread == Spread::kHuge ? 0x1.0p+100 : 0x1.0p-20;
      CandidateLists lists(rows, *kernels().score, queries.rows(), k, room, unit);
      std::vector<std::uint32_t> order(rows.rows());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      random.shuffle(order);
      for (const std::uint32_t row : order)
        for (std::size_t list = 0; list < queries.rows(); ++list)
          add_with_bounds(lists, list, queries, rows, row, random.index(2) == 0 ? 0 : 0.1);
      for (std::size_t list = 0; list < queries.rows(); ++list) {
        TopK<float> expected(k);
        for (std::uint32_t row = 0; row < rows.rows(); ++row)
          expected.offer(exact_score(queries.row(list).data(), rows.row(row).data(), d), row);
        const std::vector<ScoredRow> best = expected.take_sorted(),
                                     found = lists.take_top_k(list, queries.row(list).data()).take_sorted();
        ASSERT_EQ(found.size(), best.size());
        for (std::size_t i = 0; i < best.size(); ++i) {
          EXPECT_EQ(found[i].id, best[i].id) << name_of(spread) << ", room " << room << ", unit " << unit;
          EXPECT_EQ(found[i].score, best[i].score);
        }
      }
    }
}

TEST(CandidateLists, WhatIsNeededRisesWithBoundsFromBelow) {
  Matrix rows(3, 1);
  rows(0, 0) = 5;
  rows(1, 0) = 3;
  rows(2, 0) = 4;
  const float query = 1;
  CandidateLists lists(rows, *kernels().score, 1, 2, 8, 2);
  EXPECT_EQ(lists.lower_bound(0), -kInfinity);
  lists.add(0, &query, 0, 2, 3);
  EXPECT_EQ(lists.lower_bound(0), -kInfinity);
  lists.add(0, &query, 1, 1, 2);
  EXPECT_NEAR(lists.lower_bound(0), 1, 1e-6);  // two rows score at least 1 unit, which is 2
  EXPECT_LT(lists.lower_bound(0), 1);
  lists.add(0, &query, 2, -kInfinity, kInfinity);
  EXPECT_NEAR(lists.lower_bound(0), 1, 1e-6);
  lists.raise_lower_bound(0, 3.5f);
  EXPECT_NEAR(lists.lower_bound(0), 1.75, 1e-6);
  lists.raise_lower_bound(0, 1.0f);
  EXPECT_NEAR(lists.lower_bound(0), 1.75, 1e-6);
  const std::vector<ScoredRow> best = lists.take_top_k(0, &query).take_sorted();
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].id, 0u);
  EXPECT_EQ(best[1].id, 2u);
}

/// Both scores underflow to the same denormal and tie by id, although one product is larger by half, in a unit in which
/// both are ordinary floats.
TEST(CandidateLists, ScoresThatUnderflow) {
  Matrix rows(2, 1);
  rows(0, 0) = 0.6f * 0x1.0p-74f;
  rows(1, 0) = 0.9f * 0x1.0p-74f;
  const float query = 0x1.0p-75f;
  CandidateLists lists(rows, *kernels().score, 1, 1, 8, 0x1.0p-20);
  for (const std::uint32_t row : {1u, 0u}) {
    const double bound = double{query} * double{rows(row, 0)} / lists.unit();
    EXPECT_GE(bound, lists.lower_bound(0));
    lists.add(0, &query, row, bound, bound);
  }
  const std::vector<ScoredRow> best = lists.take_top_k(0, &query).take_sorted();
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].id, 0u);
  EXPECT_EQ(best[0].score, 0x1.0p-149f);
}

TEST(CandidateLists, FloatsJustBelowAndAbove) {
  Random random(3);
  const double values[] = {0, 1, -1, 1 + 0x1.0p-24, 0x1.0p-149, 0x1.0p-150, -0x1.0p-150, 0x1.0p-130, 0x1.fp120, 3e-45};
  for (const double value : values) {
    EXPECT_LE(double{float_just_below(value)}, value) << value;
    EXPECT_GE(double{float_just_above(value)}, value) << value;
  }
  for (int i = 0; i < 10'000; ++i) {
    const double value = std::ldexp(random.normal(), static_cast<int>(random.index(280)) - 160);
    EXPECT_LE(double{float_just_below(value)}, value);
    EXPECT_GE(double{float_just_below(value)}, value - std::fabs(value) * 0x1.0p-22 - 0x1.0p-147);
    EXPECT_GE(double{float_just_above(value)}, value);
  }
  EXPECT_EQ(float_just_below(-kInfinity), -kInfinity);
  EXPECT_EQ(float_just_above(kInfinity), kInfinity);
}

}  // namespace

}  // namespace wordbridge::candidate_lists_test
