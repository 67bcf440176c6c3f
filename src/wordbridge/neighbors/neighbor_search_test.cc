// The contract of NeighborSearch, over all implementations.
#include "wordbridge/neighbors/neighbor_search.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <memory>

#include "wordbridge/base/error.h"
#include "wordbridge/base/random.h"
#include "wordbridge/neighbors/blas_search.h"
#include "wordbridge/neighbors/brute_force_search.h"
#include "wordbridge/neighbors/make_search.h"
#include "wordbridge/neighbors/search_cases_test_support.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {
namespace {

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<NeighborSearch>(ConstMatrixView)> make;
};

std::vector<Implementation> implementations() {
  return {{"brute_force", [](ConstMatrixView table) { return std::make_unique<BruteForceSearch>(table); }},
          {"blas", [](ConstMatrixView table) { return std::make_unique<BlasSearch>(table); }},
          {"make_search", make_search}};
}

class SearchContract : public testing::TestWithParam<Implementation> {
 protected:
  Neighbors search(const Matrix& table, const Matrix& queries, std::size_t k) {
    return GetParam().make(table)->search(queries, k);
  }
  void expect_as_brute_force(const Matrix& table, const Matrix& queries, std::size_t k, const std::string& what) {
    const Neighbors expected = BruteForceSearch(table).search(queries, k);
    EXPECT_EQ(difference(expected, search(table, queries, k)), "")
        << what << ": " << table.rows() << " x " << table.cols() << ", " << queries.rows() << " queries, k " << k;
  }
};

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

TEST_P(SearchContract, RandomShapes) {
  Random random(11);
  for (int round = 0; round < 20; ++round)
    for (const Spread spread : all_spreads()) {
      const std::size_t d = 1 + random.index(round % 4 == 0 ? 700 : 70), n = random.index(round % 5 == 0 ? 3000 : 300);
      const std::size_t m = random.index(20), k = 1 + random.index(round % 3 == 0 ? n + 5 : 12);
      const Matrix table = random_rows(spread, n, d, random.bits()), queries = random_rows(spread, m, d, random.bits());
      expect_as_brute_force(table, queries, k, name_of(spread));
    }
}

TEST_P(SearchContract, OddDimensions) {
  Random random(12);
  for (const std::size_t d : {1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 299, 300, 1023, 4095, 4096})
    expect_as_brute_force(random_rows(Spread::kDecaying, 200, d, random.bits()),
                          random_rows(Spread::kDecaying, 9, d, random.bits()), 10, "odd dimension");
}

TEST_P(SearchContract, QueriesOfAnotherKindThanTheTable) {
  Random random(13);
  for (const Spread spread : all_spreads())
    for (const Spread other : all_spreads())
      expect_as_brute_force(random_rows(spread, 150, 21, random.bits()), random_rows(other, 7, 21, random.bits()), 10,
                            name_of(spread) + " and " + name_of(other));
}

TEST_P(SearchContract, ManyQueriesOverSeveralBlocks) {
  expect_as_brute_force(random_rows(Spread::kClustered, 1100, 20, 1), random_rows(Spread::kClustered, 1030, 20, 2), 10,
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

TEST_P(SearchContract, AnyNumberOfThreads) {
  const Matrix table = random_rows(Spread::kNearTies, 9000, 17, 5), queries = random_rows(Spread::kNearTies, 3, 17, 6);
  const Neighbors expected = BruteForceSearch(table).search(queries, 10);
  for (const int threads : {1, 2, 3, 7}) {
    ThreadPool::resize_shared(threads);
    EXPECT_EQ(difference(expected, search(table, queries, 10)), "") << threads << " threads";
  }
  ThreadPool::resize_shared(0);
}

INSTANTIATE_TEST_SUITE_P(All, SearchContract, testing::ValuesIn(implementations()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace wordbridge
