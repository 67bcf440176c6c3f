#include "search/warm_start/warm_start_search.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "base/effort_test_support.h"
#include "base/random.h"
#include "parallel/threads_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/int8_search.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::warm_start_search_test {
namespace {

std::vector<std::uint32_t> all_slots(std::size_t count) {
  std::vector<std::uint32_t> slots(count);
  std::iota(slots.begin(), slots.end(), 0u);
  return slots;
}

double norm(std::span<const float> row) {
  double square = 0;
  for (const float value : row) square += double{value} * double{value};
  return std::sqrt(square);
}

/// Moves every row by about this share of its norm.
void move_rows(Matrix& rows, double share, Random& random) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double scale = share * norm(rows.row(i)) / std::sqrt(static_cast<double>(rows.cols()));
    for (float& value : rows.row(i)) value = static_cast<float>(value + scale * random.normal());
  }
}

Matrix unit_rows(Spread spread, std::size_t rows, std::size_t dimension, std::uint64_t seed) {
  Matrix result = random_rows(spread, rows, dimension, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    const double length = norm(result.row(i));
    for (float& value : result.row(i))
      if (length > 0) value = static_cast<float>(value / length);
  }
  return result;
}

TEST(WarmStartSearch, AsExactAsASearchAtEveryStep) {
  Random random(31);
  std::size_t cases = 0;
  for (const Spread spread : all_spreads())
    for (const double step : {0.0, 1e-7, 1e-3, 0.02, 0.3, 3.0}) {
      if (++cases % effort(1, 5) != 0) continue;
      const std::size_t d = 1 + random.index(40), n = 1 + random.index(900), m = 1 + random.index(12);
      const Matrix table = random_rows(spread, n, d, random.bits());
      Matrix queries = random_rows(spread, m, d, random.bits());
      const BruteForceSearch oracle(table);
      const Int8Search search(table, kernels_with_blocks(), n % 2 == 0 ? TableLayout::clustered : TableLayout::staged);
      WarmStartSearch warm(search);
      for (int t = 0; t < 5; ++t) {
        const std::size_t k = t == 3 ? 1 + random.index(20) : 10;
        EXPECT_EQ(difference(oracle.search(queries, k), warm.search(queries, all_slots(m), k)), "")
            << name_of(spread) << ", step " << step << ", call " << t << ": " << n << " x " << d;
        EXPECT_LE(warm.saved_scans(), m);
        move_rows(queries, step, random);
      }
    }
}

TEST(WarmStartSearch, NothingAboveAFloorIsMissing) {
  // Floors from above the best score to below the k-th: what reaches them is what an exact search finds there.
  Random random(37);
  for (const Spread spread : all_spreads())
    for (const double step : {1e-3, 0.1}) {
      const Matrix table = random_rows(spread, 700, 12, random.bits());
      Matrix queries = random_rows(spread, 20, 12, random.bits());
      const BruteForceSearch oracle(table);
      const Int8Search search(table, kernels_with_blocks());
      WarmStartSearch warm(search, 3);
      for (int t = 0; t < 5; ++t) {
        const Neighbors exact = oracle.search(queries, 10);
        std::vector<float> floors;
        for (std::size_t i = 0; i < 20; ++i)
          floors.push_back(i % 5 == 4 ? exact.scores_of(i).front() + 1 : exact.scores_of(i)[random.index(10)]);
        const Neighbors found = warm.search_above(queries, all_slots(20), 10, floors);
        ASSERT_EQ(found.found, 10u);
        for (std::size_t i = 0; i < 20; ++i)
          for (std::size_t rank = 0; rank < 10 && exact.scores_of(i)[rank] >= floors[i]; ++rank) {
            EXPECT_EQ(found.ids_of(i)[rank], exact.ids_of(i)[rank]) << name_of(spread) << ", call " << t;
            EXPECT_EQ(found.scores_of(i)[rank], exact.scores_of(i)[rank]);
          }
        move_rows(queries, step, random);
      }
    }
}

TEST(WarmStartSearch, SmallStepsOpenFewBlocks) {
  Random random(32);
  const Matrix table = unit_rows(Spread::kClustered, 6000, 40, 1);
  Matrix queries = unit_rows(Spread::kClustered, 200, 40, 2);
  const Int8Search search(table, kernels_with_blocks(), TableLayout::clustered);
  WarmStartSearch warm(search);
  const std::vector<std::uint32_t> slots = all_slots(200);
  warm.search(queries, slots, 10);
  EXPECT_EQ(warm.saved_scans(), 0u);
  for (int t = 0; t < 4; ++t) {
    move_rows(queries, 1e-3, random);
    EXPECT_EQ(difference(BruteForceSearch(table).search(queries, 10), warm.search(queries, slots, 10)), "");
    EXPECT_GE(warm.saved_scans(), 80u) << t;
  }
}

/// What one has found serves another, as far as its queries are the same; what is taken over changes no answer.
TEST(WarmStartSearch, TakesOverWhatAnotherKnows) {
  Random random(36);
  const Matrix table = unit_rows(Spread::kGaussian, 3000, 40, 1);
  Matrix queries = unit_rows(Spread::kGaussian, 100, 40, 2);
  const Int8Search search(table, kernels_with_blocks()), same_table(table, kernels_with_blocks());
  WarmStartSearch first(search);
  first.search(queries, all_slots(100), 10);
  move_rows(queries, 1e-3, random);
  const BruteForceSearch oracle(table);
  std::vector<std::uint32_t> slots(100, MovingSearch::kNoSlot);
  std::iota(slots.begin() + 20, slots.end(), 20u);
  for (const bool moved : {false, true}) {
    WarmStartSearch second(search);
    second.take_over(first, slots, moved);
    EXPECT_EQ(difference(oracle.search(queries, 10), second.search(queries, all_slots(100), 10)), "");
    EXPECT_EQ(second.saved_scans() > 0, !moved);
    EXPECT_LE(second.saved_scans(), 80u);
  }
  WarmStartSearch other(same_table);  // over another search: nothing
  other.take_over(first, slots, false);
  EXPECT_EQ(difference(oracle.search(queries, 10), other.search(queries, all_slots(100), 10)), "");
  EXPECT_EQ(other.saved_scans(), 0u);
  EXPECT_EQ(difference(oracle.search(queries, 10), first.search(queries, all_slots(100), 10)), "");
  EXPECT_GT(first.saved_scans(), 0u);  // it has lost nothing
}

/// Longer and shorter queries of the same direction have the same neighbors.
TEST(WarmStartSearch, LengthsDoNotMatter) {
  const Matrix table = unit_rows(Spread::kGaussian, 2000, 30, 3);
  Matrix queries = unit_rows(Spread::kGaussian, 50, 30, 4);
  const Int8Search search(table, kernels_with_blocks());
  WarmStartSearch warm(search);
  for (const float factor : {1.0f, 3.7f, 1e-9f, 1e9f}) {
    for (float& value : queries.elements()) value *= factor;
    EXPECT_EQ(difference(BruteForceSearch(table).search(queries, 10), warm.search(queries, all_slots(50), 10)), "");
    EXPECT_EQ(warm.saved_scans() > 0, factor != 1.0f) << factor;
  }
}

/// Steps as large as the queries: bounds are of no use, and do no harm.
TEST(WarmStartSearch, LargeStepsAreSearched) {
  Random random(33);
  const Matrix table = unit_rows(Spread::kGaussian, 3000, 40, 5);
  const Int8Search search(table, kernels_with_blocks());
  WarmStartSearch warm(search);
  for (int t = 0; t < 4; ++t) {
    const Matrix queries = unit_rows(Spread::kGaussian, 60, 40, random.bits());
    EXPECT_EQ(difference(BruteForceSearch(table).search(queries, 10), warm.search(queries, all_slots(60), 10)), "");
  }
}

/// A large step, then small ones: bounds are of use again.
TEST(WarmStartSearch, BoundsComeBack) {
  Random random(34);
  const Matrix table = unit_rows(Spread::kGaussian, 3000, 40, 6);
  const Int8Search search(table, kernels_with_blocks());
  WarmStartSearch warm(search);
  Matrix queries = unit_rows(Spread::kGaussian, 60, 40, 7);
  warm.search(queries, all_slots(60), 10);
  queries = unit_rows(Spread::kGaussian, 60, 40, 8);
  warm.search(queries, all_slots(60), 10);
  for (int t = 0; t < 4; ++t) {
    move_rows(queries, 1e-3, random);
    EXPECT_EQ(difference(BruteForceSearch(table).search(queries, 10), warm.search(queries, all_slots(60), 10)), "");
    EXPECT_GT(warm.saved_scans(), 0u) << t;
  }
}

/// Rows of blocks that were far from the query, and then are the nearest.
TEST(WarmStartSearch, RowsOfClosedBlocksComeIn) {
  Matrix table = unit_rows(Spread::kGaussian, 1000, 3, 9), query(1, 3);
  query(0, 0) = 1;
  const BruteForceSearch oracle(table);
  const Int8Search search(table, kernels_with_blocks());
  WarmStartSearch warm(search);
  for (int t = 0; t < 200; ++t) {
    const double angle = 0.02 * t;
    query(0, 0) = static_cast<float>(std::cos(angle));
    query(0, 1) = static_cast<float>(std::sin(angle));
    EXPECT_EQ(difference(oracle.search(query, 10), warm.search(query, all_slots(1), 10)), "") << t;
  }
}

/// The steps of a training: all queries move nearly together, on and back, far and near.
TEST(WarmStartSearch, SharedMovesOpenFewBlocks) {
  Random random(41);
  const Matrix table = unit_rows(Spread::kClustered, 8000, 40, 18);
  Matrix queries = unit_rows(Spread::kClustered, 200, 40, 19);
  std::vector<double> common(40);
  for (double& value : common) value = random.normal() / std::sqrt(40.0);
  const BruteForceSearch oracle(table);
  const Int8Search search(table, kernels_with_blocks(), TableLayout::clustered);
  WarmStartSearch warm(search);
  const std::vector<std::uint32_t> slots = all_slots(200);
  warm.search(queries, slots, 10);
  for (const double step : {0.3, -0.3, 0.2, 0.0, 0.2, -2.0, 0.1}) {
    for (std::size_t i = 0; i < queries.rows(); ++i)
      for (std::size_t j = 0; j < 40; ++j)
        queries(i, j) += static_cast<float>(step * common[j] + 1e-4 * random.normal());
    EXPECT_EQ(difference(oracle.search(queries, 10), warm.search(queries, slots, 10)), "") << step;
    EXPECT_GE(warm.saved_scans(), std::fabs(step) < 0.25 ? 100u : 0u) << step;
  }
}

/// Many calls, with moves of several kinds.
TEST(WarmStartSearch, BoundsOfManyCalls) {
  Random random(42);
  for (const Spread spread : {Spread::kGaussian, Spread::kNearTies}) {
    const Matrix table = unit_rows(spread, 2000, 20, 20);
    Matrix queries = unit_rows(spread, 300, 20, 21);
    const BruteForceSearch oracle(table);
    const Int8Search search(table, kernels_with_blocks());
    WarmStartSearch warm(search);
    for (int t = 0; t < 10; ++t) {
      EXPECT_EQ(difference(oracle.search(queries, 10), warm.search(queries, all_slots(300), 10)), "") << t;
      for (std::size_t i = 0; i < queries.rows(); ++i) {
        const double share = i % 3 == 0 ? 0.3 : 0.01;
        for (float& value : queries.row(i)) value += static_cast<float>(share * (0.2 + 0.1 * random.normal()));
      }
    }
  }
}

TEST(WarmStartSearch, SlotsInAnyChoice) {
  Random random(35);
  const Matrix table = unit_rows(Spread::kClustered, 1500, 20, 10);
  Matrix queries = unit_rows(Spread::kClustered, 90, 20, 11);
  const Int8Search search(table, kernels_with_blocks());
  WarmStartSearch warm(search);
  for (int t = 0; t < 12; ++t) {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = 0; slot < 90; ++slot)
      if (random.index(3) == 0) slots.push_back(slot);
    Matrix chosen = Matrix::uninitialized(slots.size(), 20);
    for (std::size_t i = 0; i < slots.size(); ++i) std::copy_n(queries.row(slots[i]).data(), 20, chosen.row(i).data());
    EXPECT_EQ(difference(BruteForceSearch(table).search(chosen, 10), warm.search(chosen, slots, 10)), "") << t;
    move_rows(queries, 0.005, random);
  }
}

TEST(WarmStartSearch, AnyNumberOfThreads) {
  const Matrix table = unit_rows(Spread::kNearTies, 2000, 16, 12), first = unit_rows(Spread::kNearTies, 150, 16, 13);
  std::vector<std::uint64_t> counts;
  for (const int threads : {1, 2, 5}) {
    const WithThreads scope(threads);
    Random random(36);
    Matrix queries = first;
    const Int8Search search(table, kernels_with_blocks());
    WarmStartSearch warm(search);
    std::uint64_t count = 0;
    for (int t = 0; t < 4; ++t) {
      EXPECT_EQ(difference(BruteForceSearch(table).search(queries, 10), warm.search(queries, all_slots(150), 10)), "");
      count += warm.saved_scans();
      move_rows(queries, 0.01, random);
    }
    counts.push_back(count);
  }
  EXPECT_THAT(counts, testing::Each(counts[0]));
}

TEST(WarmStartSearch, EveryKernelGivesTheSameAnswers) {
  const Matrix table = unit_rows(Spread::kClustered, 1500, 24, 15), first = unit_rows(Spread::kClustered, 40, 24, 16);
  for (const Kernels* kernels : tested_kernels()) {
    Random random(37);
    Matrix queries = first;
    const Int8Search search(table, *kernels, TableLayout::clustered);
    WarmStartSearch warm(search);
    for (int t = 0; t < 4; ++t) {
      EXPECT_EQ(difference(BruteForceSearch(table).search(queries, 10), warm.search(queries, all_slots(40), 10)), "")
          << kernels->name;
      move_rows(queries, 0.01, random);
    }
  }
}

TEST(MakeMovingSearch, BoundsWhereThereIsAFilter) {
  const Matrix table = random_rows(Spread::kGaussian, 50, 3, 17);
  const BruteForceSearch plain(table);
  const Int8Search int8(table);
  EXPECT_NE(dynamic_cast<WarmStartSearch*>(int8.make_moving().get()), nullptr);
  EXPECT_NE(dynamic_cast<RepeatedSearch*>(plain.make_moving().get()), nullptr);
  EXPECT_EQ(difference(plain.search(table, 4), plain.make_moving()->search(table, all_slots(50), 4)), "");
}

TEST(WarmStartSearch, NothingToFindAndWrongShapes) {
  const Matrix table = random_rows(Spread::kGaussian, 5, 3, 14), none(4, 3);
  const Int8Search search(table), nowhere(none);
  WarmStartSearch warm(search), empty(nowhere);
  EXPECT_EQ(warm.search(Matrix(0, 3), {}, 10).queries, 0u);
  EXPECT_EQ(warm.search(table, all_slots(5), 0).found, 0u);
  EXPECT_EQ(warm.search(table, all_slots(5), 9).found, 5u);
  EXPECT_EQ(warm.search(table, all_slots(5), 9).found, 5u);
  EXPECT_EQ(warm.saved_scans(), 0u);  // there is one block, which holds the best
  EXPECT_EQ(empty.search(table, all_slots(5), 3).found, 0u);
  EXPECT_THROW(warm.search(Matrix(1, 2), all_slots(1), 1), UsageError);
  EXPECT_THROW(warm.search(Matrix(1, 3), all_slots(2), 1), UsageError);
}

// A call that was cancelled has moved some queries on and some bounds; the next answers are as exact as before.
TEST(WarmStartSearch, CancelledAndAskedAgain) {
  Random random(37);
  const Matrix table = unit_rows(Spread::kClustered, 2000, 30, 1);
  Matrix queries = unit_rows(Spread::kClustered, 150, 30, 2);
  const BruteForceSearch oracle(table);
  const Int8Search search(table, kernels_with_blocks());
  WarmStartSearch warm(search);
  const std::vector<std::uint32_t> slots = all_slots(150);
  for (const std::size_t turns : {0, 100, 1000, 3000, 10'000, 30'000}) {
    move_rows(queries, 0.02, random);
    const bool cancelled = ends_cancelled([&] { warm.search(queries, slots, 10); }, turns);
    EXPECT_TRUE(cancelled || turns > 0);
    EXPECT_EQ(difference(oracle.search(queries, 10), warm.search(queries, slots, 10)), "") << turns;
    move_rows(queries, 0.02, random);
    EXPECT_EQ(difference(oracle.search(queries, 10), warm.search(queries, slots, 10)), "") << turns;
  }
}

}  // namespace
}  // namespace wordbridge::warm_start_search_test
