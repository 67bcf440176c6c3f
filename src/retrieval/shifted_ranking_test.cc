#include "retrieval/shifted_ranking.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "linalg/random_matrix_test_support.h"
#include "retrieval/dense_criteria_test_support.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::shifted_ranking_test {
namespace {

std::vector<double> random_shifts(std::size_t count, double size, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> shifts(count);
  for (double& shift : shifts) shift = size * random.normal();
  return shifts;
}

Candidates sort_all(ConstMatrixView queries, ConstMatrixView table, double scale, const std::vector<double>& shifts,
                    const std::vector<double>& query_shifts, std::size_t count) {
  Candidates result;
  result.queries = queries.rows();
  for (std::size_t query = 0; query < queries.rows(); ++query) {
    std::vector<std::pair<double, WordId>> all;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const auto row = table.row(i);
      if (std::all_of(row.begin(), row.end(), [](float value) { return value == 0; })) continue;
      const double cosine = exact_score(queries.row(query).data(), row.data(), table.cols());
      all.emplace_back(-(scale * cosine - (query_shifts[query] + shifts[i])), static_cast<WordId>(i));
    }
    std::sort(all.begin(), all.end());
    result.found = std::min(count, all.size());
    for (std::size_t i = 0; i < result.found; ++i) {
      result.targets.push_back(all[i].second);
      result.scores.push_back(-all[i].first);
    }
  }
  return result;
}

TEST(ShiftedRanking, EqualsSorting) {
  std::uint64_t seed = 0;
  for (const Spread spread : all_spreads()) {
    for (const double scale : {0.5, 2.0, 30.0}) {
      for (const double size : {0.0, 0.3, 50.0}) {
        ++seed;
        Matrix table = random_rows(spread, 120, 6, seed);
        normalize_rows(table);
        const Matrix queries = random_unit_rows(15, 6, ~seed);
        const std::vector<double> shifts = random_shifts(120, size, seed),
                                  query_shifts = random_shifts(15, size, ~seed);
        const ShiftedRanking ranking(UnitRows::view(table), scale, shifts);
        EXPECT_EQ(difference(sort_all(queries, table, scale, shifts, query_shifts, 7),
                             ranking.best(queries, query_shifts, 7)),
                  "")
            << name_of(spread) << ", scale " << scale << ", shifts " << size;
      }
    }
  }
}

// Shifts so close that their rounding to float in the search makes them equal: only the exact scores tell.
TEST(ShiftedRanking, NearTies) {
  const std::size_t rows = 500;
  Matrix table(rows, 3);
  std::vector<double> shifts(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    table(i, 0) = 1;
    shifts[i] = 0.25 + 1e-13 * static_cast<double>((i * 7919) % rows);
  }
  const Matrix queries = random_unit_rows(5, 3, 1);
  const std::vector<double> query_shifts(5, 0.125);
  EXPECT_EQ(difference(sort_all(queries, table, 2, shifts, query_shifts, 4),
                       ShiftedRanking(UnitRows::view(table), 2, shifts).best(queries, query_shifts, 4)),
            "");
}

TEST(ShiftedRanking, NothingToRank) {
  const Matrix zeros(4, 3);
  const std::vector<double> shifts(4), query_shifts(2);
  const Candidates none =
      ShiftedRanking(UnitRows::view(zeros), 2, shifts).best(random_unit_rows(2, 3, 1), query_shifts, 5);
  EXPECT_EQ(none.queries, 2u);
  EXPECT_EQ(none.found, 0u);
}

}  // namespace
}  // namespace wordbridge::shifted_ranking_test
