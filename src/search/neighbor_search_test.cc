#include "search/neighbor_search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "base/effort_test_support.h"
#include "base/random.h"
#include "parallel/threads_test_support.h"
#include "search/blas_search.h"
#include "search/brute_force_search_test_support.h"
#include "search/int8_search.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/error.h"

// The contract of NeighborSearch, over all implementations.
namespace wordbridge::neighbor_search_test {

namespace {

std::optional<RangeSearchResult> all_pairs(std::size_t queries, std::size_t units, std::size_t most) {
  return collect_range_matches(
      queries, units, 2, most, [&](std::size_t begin, std::size_t end, std::vector<RangeMatch>& matches) {
        for (std::size_t query = 0; query < queries; ++query)
          for (std::size_t row = begin; row < end; ++row)
            if (query != 1)
              matches.push_back({static_cast<std::uint32_t>(query), {1.0f, static_cast<std::uint32_t>(row)}});
      });
}

TEST(RangeSearchResult, ByQueryAndInTheOrderOfTheRanges) {
  for (const int threads : {1, 3}) {
    const WithThreads scope(threads);
    const auto found = all_pairs(3, 5, 10);
    ASSERT_TRUE(found);
    EXPECT_THAT(found->starts, testing::ElementsAre(0, 5, 5, 10));
    std::vector<std::uint32_t> ids;
    for (const ScoredRow& row : found->of(2)) ids.push_back(row.id);
    EXPECT_THAT(ids, testing::ElementsAre(0, 1, 2, 3, 4));
    EXPECT_TRUE(found->of(1).empty());
  }
}

TEST(RangeSearchResult, NothingWhereTheyAreTooMany) {
  EXPECT_FALSE(all_pairs(3, 5, 9));
  EXPECT_TRUE(all_pairs(0, 5, 0)->rows.empty());
  EXPECT_THAT(all_pairs(2, 0, 0)->starts, testing::ElementsAre(0, 0, 0));
}

TEST(SortById, AsComparingDoes) {
  std::vector<ScoredRow> memory;
  for (const std::uint32_t spread : {1u, 7u, 66'000u, 0x7fff'ffffu})
    for (const std::size_t count : {0, 1, 64, 65, 1000}) {
      std::vector<ScoredRow> rows;
      for (std::uint32_t i = 0; i < count; ++i) rows.push_back({static_cast<float>(i), (i * 7919u + 13u) * spread});
      std::vector<ScoredRow> expected = rows;
      std::ranges::stable_sort(expected, {}, &ScoredRow::id);
      sort_by_id(rows, memory);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(rows[i].id, expected[i].id);
        EXPECT_EQ(rows[i].score, expected[i].score);
      }
    }
}

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<NeighborSearch>(ConstMatrixView)> make;
};

std::vector<Implementation> implementations() {
  std::vector<Implementation> all = {
      {"brute_force", [](ConstMatrixView table) { return std::make_unique<BruteForceSearch>(table); }},
      {"blas", [](ConstMatrixView table) { return std::make_unique<BlasSearch>(table); }},
      {"make_search", [](ConstMatrixView table) { return make_search(table); }},
      {"make_search_for_few", [](ConstMatrixView table) { return make_search(table, 1); }}};
  for (const Kernels* kernels : tested_kernels())
    all.push_back({std::string("int8_") + kernels->name,
                   [kernels](ConstMatrixView table) { return std::make_unique<Int8Search>(table, *kernels); }});
  return all;
}

class SearchContract : public testing::TestWithParam<Implementation> {
 protected:
  Neighbors search(const Matrix& table, const Matrix& queries, std::size_t k) {
    return GetParam().make(table)->search(queries, k);
  }
};

/// Compares all implementations with the oracle, which runs once for all.
void expect_as_brute_force(const Matrix& table, const Matrix& queries, std::size_t k, const std::string& what) {
  const Neighbors expected = BruteForceSearch(table).search(queries, k);
  for (const Implementation& implementation : implementations())
    EXPECT_EQ(difference(expected, implementation.make(table)->search(queries, k)), "")
        << implementation.name << ", " << what << ": " << table.rows() << " x " << table.cols() << ", "
        << queries.rows() << " queries, k " << k;
}

Matrix matrix(std::vector<std::vector<float>> rows) {
  Matrix m(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), m.row(i).begin());
  return m;
}

TEST_P(SearchContract, KnownAnswer) {
  const Matrix table = matrix({{1, 0}, {0, 1}, {0.5, 0.5}, {-1, 0}});
  const Neighbors found = search(table, matrix({{1, 0}, {1, 2}}), 3);
  ASSERT_EQ(found.found, 3u);
  EXPECT_THAT(found.ids, testing::ElementsAre(0, 2, 1, 1, 2, 0));
  EXPECT_THAT(found.scores, testing::ElementsAre(1, 0.5, 0, 2, 1.5, 1));
}

TEST_P(SearchContract, TiesByLowerIdAndZeroRowsNever) {
  const Matrix table = matrix({{0, 0}, {1, 1}, {2, 0}, {0, -0.0f}, {0, 2}, {1, 1}});
  const Neighbors found = search(table, matrix({{1, 1}, {0, 0}, {-1, -1}}), 10);
  ASSERT_EQ(found.found, 4u);
  EXPECT_THAT(found.ids, testing::ElementsAre(1, 2, 4, 5, 1, 2, 4, 5, 1, 2, 4, 5));
  EXPECT_THAT(found.scores, testing::ElementsAre(2, 2, 2, 2, 0, 0, 0, 0, -2, -2, -2, -2));
  for (const float score : found.scores) EXPECT_FALSE(score == 0 && std::signbit(score));
}

TEST_P(SearchContract, ScoresThatOverflowAreInfiniteAndTie) {
  const float huge = std::numeric_limits<float>::max();
  const Matrix table = matrix({{-huge, 0}, {1, 0}, {huge, huge}, {2 - huge, huge}, {huge, -huge}});
  const Neighbors found = search(table, matrix({{huge, huge}}), 5);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(found.ids, testing::ElementsAre(2, 1, 3, 4, 0));
  EXPECT_THAT(found.scores, testing::ElementsAre(infinity, huge, 0, 0, -infinity));
}

TEST_P(SearchContract, NothingToFind) {
  EXPECT_EQ(search(Matrix(0, 3), Matrix(2, 3), 10).found, 0u);
  EXPECT_EQ(search(Matrix(0, 3), Matrix(2, 3), 10).queries, 2u);
  EXPECT_EQ(search(Matrix(4, 3), matrix({{1, 2, 3}}), 10).found, 0u);
  EXPECT_EQ(search(matrix({{1, 2, 3}}), Matrix(0, 3), 10).queries, 0u);
  EXPECT_EQ(search(matrix({{1, 2, 3}}), matrix({{1, 2, 3}}), 0).found, 0u);
  EXPECT_EQ(search(Matrix(3, 0), Matrix(2, 0), 1).found, 0u);
}

TEST_P(SearchContract, OtherDimensionIsAnError) { EXPECT_THROW(search(Matrix(4, 3), Matrix(4, 2), 1), UsageError); }

TEST(AllSearches, RandomShapes) {
  Random random(11);
  for (std::size_t round = 0; round < effort(12, 4); ++round)
    for (const Spread spread : all_spreads()) {
      const std::size_t d = 1 + random.index(round % 4 == 0 ? 400 : 70), n = random.index(round % 5 == 0 ? 1500 : 300);
      const std::size_t m = random.index(12), k = 1 + random.index(round % 3 == 0 ? n + 5 : 12);
      const Matrix table = random_rows(spread, n, d, random.bits()), queries = random_rows(spread, m, d, random.bits());
      expect_as_brute_force(table, queries, k, name_of(spread));
    }
}

TEST(AllSearches, OddDimensions) {
  Random random(12);
  for (const std::size_t d : {1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 299, 300, 1023, 4095, 4096})
    expect_as_brute_force(random_rows(Spread::kDecaying, 100, d, random.bits()),
                          random_rows(Spread::kDecaying, 5, d, random.bits()), 10, "odd dimension");
}

TEST(AllSearches, QueriesOfAnotherKindThanTheTable) {
  Random random(13);
  for (const Spread spread : all_spreads())
    for (const Spread other : all_spreads())
      expect_as_brute_force(random_rows(spread, 150, 21, random.bits()), random_rows(other, 7, 21, random.bits()), 10,
                            name_of(spread) + " and " + name_of(other));
}

TEST(AllSearches, ManyQueriesOverSeveralBlocks) {
  expect_as_brute_force(random_rows(Spread::kClustered, 600, 8, 1), random_rows(Spread::kClustered, 1600, 8, 2), 10,
                        "several blocks");
}

TEST_P(SearchContract, ViewsWithStrides) {
  const Matrix table = random_rows(Spread::kDecaying, 600, 40, 3), queries = random_rows(Spread::kDecaying, 50, 40, 4);
  Matrix wide_table(600, 47), wide_queries(50, 41);
  for (std::size_t i = 0; i < 600; ++i) std::copy_n(table.row(i).data(), 40, wide_table.row(i).data() + 5);
  for (std::size_t i = 0; i < 50; ++i) std::copy_n(queries.row(i).data(), 40, wide_queries.row(i).data() + 1);
  const ConstMatrixView table_view(wide_table.data() + 5, 600, 40, 47), query_view(wide_queries.data() + 1, 50, 40, 41);
  EXPECT_EQ(
      difference(BruteForceSearch(table).search(queries, 10), GetParam().make(table_view)->search(query_view, 10)), "");
}

TEST(AllSearches, AnyNumberOfThreads) {
  const Matrix table = random_rows(Spread::kNearTies, 9000, 9, 5), queries = random_rows(Spread::kNearTies, 3, 9, 6);
  for (const int threads : {1, 2, 3, 7}) {
    const WithThreads scope(threads);
    expect_as_brute_force(table, queries, 10, std::to_string(threads) + " threads");
  }
}

// As after a step of training: k rows that were near other queries bound the k-th best score from below.
TEST(AllSearches, LowerBoundsByAnyRowsNeverChangeTheAnswer) {
  Random random(14);
  for (const Spread spread : all_spreads()) {
    const Matrix table = random_rows(spread, 400, 30, random.bits()),
                 queries = random_rows(spread, 9, 30, random.bits());
    const Matrix others = random_rows(spread, 9, 30, random.bits());
    const BruteForceSearch oracle(table);
    const Neighbors expected = oracle.search(queries, 10);
    for (const Neighbors& previous : {expected, oracle.search(others, 10)}) {
      std::vector<float> lower_bounds(queries.rows(), std::numeric_limits<float>::infinity());
      for (std::size_t i = 0; i < queries.rows(); ++i)
        for (const std::uint32_t id : previous.ids_of(i))
          lower_bounds[i] = std::min(lower_bounds[i], exact_score(queries.row(i).data(), table.row(id).data(), 30));
      for (const Implementation& implementation : implementations())
        EXPECT_EQ(difference(expected, implementation.make(table)->search_above(queries, 10, lower_bounds)), "")
            << implementation.name << ", " << name_of(spread);
    }
  }
}

// Lower bounds of any quality change nothing: the k-th best scores themselves, so that ties with them count, low ones,
// and such that say nothing.
TEST(AllSearches, LowerBoundsDoNotChangeTheAnswer) {
  std::uint64_t seed = 100;
  const std::vector<Spread> spreads = all_spreads();
  for (std::size_t s = 0; s < spreads.size(); s += effort(1, 3))
    for (const std::size_t k : {1, 10, 400}) {
      const Spread spread = spreads[s];
      const Matrix table = random_rows(spread, 300, 17, ++seed),
                   queries = random_rows(spread, effort(70, 20), 17, ++seed);
      const Neighbors expected = BruteForceSearch(table).search(queries, k);
      for (const float share : {1.0f, 0.5f, -1.0f}) {
        std::vector<float> lower_bounds;
        for (std::size_t i = 0; i < queries.rows(); ++i) {
          const float kth = expected.scores_of(i).back();
          lower_bounds.push_back(share < 0 ? -std::numeric_limits<float>::infinity() : kth > 0 ? share * kth : kth);
        }
        for (const Implementation& implementation : implementations())
          EXPECT_EQ(difference(expected, implementation.make(table)->search_above(queries, k, lower_bounds)), "")
              << implementation.name << ", " << name_of(spread) << ", k " << k << ", " << share << " of the best";
      }
    }
}

TEST(AllSearches, AllRowsAlike) {
  Matrix table(5000, 12);
  for (std::size_t i = 0; i < table.rows(); ++i)
    for (std::size_t j = 0; j < table.cols(); ++j) table(i, j) = static_cast<float>(j) - 3;
  expect_as_brute_force(table, random_rows(Spread::kGaussian, 4, 12, 7), 10, "all rows alike");
}

TEST_P(SearchContract, RowsThatReachAThreshold) {
  const Matrix table = matrix({{3, 0}, {0, 0}, {2, 0}, {1, 4}, {-1, 0}});
  const auto search = GetParam().make(table);
  const Matrix queries = matrix({{1, 0}, {0, 0}, {0, 1}});
  const auto ids = [](const std::optional<RangeSearchResult>& found, std::size_t query) {
    std::vector<std::uint32_t> result;
    for (const ScoredRow& row : found->of(query)) result.push_back(row.id);
    return result;
  };
  const std::vector<double> thresholds = {1.5, 0, 3};
  const std::optional<RangeSearchResult> found = search->range_search(queries, thresholds, {}, 100);
  ASSERT_TRUE(found);
  EXPECT_THAT(ids(found, 0), testing::ElementsAre(0, 2));
  EXPECT_THAT(ids(found, 1), testing::ElementsAre(0, 2, 3, 4));  // all scores are 0, but a zero row is nothing
  EXPECT_THAT(ids(found, 2), testing::ElementsAre(3));
  EXPECT_NEAR(found->of(0)[1].score, 2, 0.1);

  const std::vector<float> offsets = {2, -9, 0.25f, -1, -4};
  const std::optional<RangeSearchResult> shifted = search->range_search(queries, thresholds, offsets, 100);
  ASSERT_TRUE(shifted);
  EXPECT_THAT(ids(shifted, 0), testing::ElementsAre(2, 3, 4));
  EXPECT_THAT(ids(shifted, 1), testing::ElementsAre(3, 4));
  EXPECT_THAT(ids(shifted, 2), testing::ElementsAre(3, 4));

  EXPECT_TRUE(search->range_search(queries, thresholds, {}, 7));
  EXPECT_FALSE(search->range_search(queries, thresholds, {}, 6));
  const std::vector<double> anything(3, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(search->range_search(queries, anything, offsets, 100)->rows.size(), 12u);
  EXPECT_TRUE(GetParam().make(Matrix(0, 2))->range_search(queries, thresholds, {}, 0)->rows.empty());
  EXPECT_THROW(search->range_search(Matrix(1, 3), {thresholds.data(), 1}, {}, 1), UsageError);
}

/// What is wrong with the rows that are said to reach the thresholds, or an empty string: every row that does is among
/// them, and all have bounds that are not below their scores and reach the thresholds.
std::string mistake(const RangeSearchResult& exact, const RangeSearchResult& found, ConstMatrixView table,
                    ConstMatrixView queries, std::span<const double> thresholds, std::span<const float> offsets) {
  if (found.starts.size() != exact.starts.size()) return "another number of queries";
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    const std::string where = "query " + std::to_string(i) + ": ";
    const auto rows = found.of(i);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const double score = exact_score(queries.row(i).data(), table.row(rows[j].id).data(), table.cols());
      const double offset = offsets.empty() ? 0.0 : double{offsets[rows[j].id]};
      if (j > 0 && rows[j].id <= rows[j - 1].id) return where + "ids do not ascend";
      if (rows[j].score < score) return where + "a bound below its score";
      // Rounding may let in a bound that is just below.
      const double size = std::abs(rows[j].score) + std::abs(offset) + std::abs(thresholds[i]);
      if (rows[j].score + 1e-6 * size < thresholds[i] + offset) return where + "a bound that does not reach";
    }
    for (const ScoredRow& row : exact.of(i))
      if (std::none_of(rows.begin(), rows.end(), [&](const ScoredRow& other) { return other.id == row.id; }))
        return where + "row " + std::to_string(row.id) + " is missing";
  }
  return "";
}

TEST(AllSearches, NoRowThatReachesAThresholdIsMissing) {
  Random random(15);
  for (std::size_t round = 0; round < effort(4, 2); ++round)
    for (const Spread spread : all_spreads()) {
      const std::size_t n = 1 + random.index(round % 2 == 0 ? 900 : 200), d = 1 + random.index(90), m = random.index(9);
      const Matrix table = random_rows(spread, n, d, random.bits()), queries = random_rows(spread, m, d, random.bits());
      const BruteForceSearch oracle(table);
      // Thresholds that are scores, so that they are just reached.
      const Neighbors best = oracle.search(queries, 1 + random.index(40));
      std::vector<double> thresholds(m);
      if (best.found > 0)
        for (std::size_t i = 0; i < m; ++i) thresholds[i] = best.scores_of(i).back();
      std::vector<float> offsets;
      const float size = m > 0 && best.found > 0 ? std::abs(best.scores_of(0).front()) : 1;
      if (round % 2 == 1 && std::isfinite(size))
        for (std::size_t j = 0; j < n; ++j) offsets.push_back(size * static_cast<float>(random.uniform() - 0.5));
      const auto exact = oracle.range_search(queries, thresholds, offsets, n * m);
      for (const Implementation& implementation : implementations()) {
        const auto found = implementation.make(table)->range_search(queries, thresholds, offsets, n * m);
        ASSERT_TRUE(found);
        EXPECT_EQ(mistake(*exact, *found, table, queries, thresholds, offsets), "")
            << implementation.name << ", " << name_of(spread) << ": " << n << " x " << d << ", " << m << " queries";
      }
    }
}

TEST(AllSearches, MostRowsThatDoNotReachAThresholdAreLeftOut) {
  const Matrix table = random_rows(Spread::kGaussian, 5000, 300, 8),
               queries = random_rows(Spread::kGaussian, 20, 300, 9);
  const Neighbors best = BruteForceSearch(table).search(queries, 50);
  std::vector<double> thresholds;
  for (std::size_t i = 0; i < queries.rows(); ++i) thresholds.push_back(best.scores_of(i).back());
  for (const Implementation& implementation : implementations()) {
    const auto found = implementation.make(table)->range_search(queries, thresholds, {}, 5000 * queries.rows());
    EXPECT_LT(found->rows.size(), 4 * 50 * queries.rows()) << implementation.name;
  }
}

// Wherever the work is when it is cancelled, it leaves nothing half-done: the same object answers afterwards.
TEST_P(SearchContract, CancelledAndAskedAgain) {
  const Matrix table = random_rows(Spread::kClustered, effort(900, 300), 40, 16),
               queries = random_rows(Spread::kClustered, 20, 40, 17);
  const BruteForceSearch oracle(table);
  const Neighbors expected = oracle.search(queries, 10);
  std::vector<double> thresholds;
  for (std::size_t i = 0; i < queries.rows(); ++i) thresholds.push_back(expected.scores_of(i).back());
  const auto exact = oracle.range_search(queries, thresholds, {}, 1'000'000);
  const auto search = GetParam().make(table);
  for (const std::size_t turns : {0, 100, 3000, 30'000}) {
    const bool searching = ends_cancelled([&] { search->search(queries, 10); }, turns);
    const bool ranging = ends_cancelled([&] { search->range_search(queries, thresholds, {}, 1'000'000); }, turns);
    if (turns == 0) {
      EXPECT_TRUE(searching && ranging);
    }
    EXPECT_EQ(difference(expected, search->search(queries, 10)), "") << turns;
    const auto found = search->range_search(queries, thresholds, {}, 1'000'000);
    ASSERT_TRUE(found);
    EXPECT_EQ(mistake(*exact, *found, table, queries, thresholds, {}), "") << turns;
  }
}

TEST(AllSearches, CancelledWhileAnIndexIsMade) {
  const Matrix table = random_rows(Spread::kClustered, 3000, 40, 16);
  for (const Kernels* kernels : tested_kernels())
    EXPECT_TRUE(ends_cancelled([&] { const Int8Search search(table, *kernels); }, 0)) << kernels->name;
  EXPECT_TRUE(ends_cancelled([&] { const BlasSearch search(table); }, 0));
}

INSTANTIATE_TEST_SUITE_P(All, SearchContract, testing::ValuesIn(implementations()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace

}  // namespace wordbridge::neighbor_search_test
