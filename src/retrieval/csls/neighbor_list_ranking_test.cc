#include "retrieval/csls/neighbor_list_ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/effort_test_support.h"
#include "base/random.h"
#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "retrieval/dense_criteria_test_support.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"
#include "space/common_space_state.h"
#include "space/space_test_support.h"
#include "space/table_search.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::neighbor_list_ranking_test {

namespace {

TEST(UnlistedBound, IsTheLargestOfAllTargets) {
  Random random(5);
  Neighbors lists{20, 2, std::vector<std::uint32_t>(40), std::vector<float>(40)};
  std::vector<double> means;
  for (std::size_t y = 0; y < 20; ++y) {
    lists.scores[2 * y] = 1;
    lists.scores[2 * y + 1] = static_cast<float>(random.index(10)) / 10;
    means.push_back(static_cast<double>(random.index(100)) / 100);
  }
  const std::vector<WordId> some = {1, 4, 5, 9, 13, 19};
  const UnlistedBound bound(some, lists, means);
  for (double last = -0.05; last < 1.1; last += 0.05) {
    double most = -std::numeric_limits<double>::infinity();
    for (const WordId y : some) most = std::max(most, 2 * std::min(last, double{lists.scores_of(y).back()}) - means[y]);
    EXPECT_EQ(bound(last), most) << last;
    EXPECT_EQ(UnlistedBound::of_one(last, some, lists, means), most) << last;
  }
  EXPECT_EQ(UnlistedBound({}, lists, means)(0.5), -std::numeric_limits<double>::infinity());
}

/// Counts the queries of the last range search, or refuses to answer it.
class CountingSearch final : public NeighborSearch {
 public:
  explicit CountingSearch(const NeighborSearch& search) : search_(search) {}
  Neighbors search(ConstMatrixView some, std::size_t k) const override { return search_.search(some, k); }
  std::optional<RangeSearchResult> range_search(ConstMatrixView some, std::span<const double> thresholds,
                                                std::span<const float> offsets, std::size_t most) const override {
    queries = some.rows();
    for (const double threshold : thresholds) EXPECT_TRUE(std::isfinite(threshold));  // else every row is found
    return refuse ? std::nullopt : search_.range_search(some, thresholds, offsets, most);
  }
  ConstMatrixView table() const override { return search_.table(); }

  mutable std::size_t queries = 0;
  mutable bool refuse = false;

 private:
  const NeighborSearch& search_;
};

/// How many words the lists could not answer for; the answers are compared with the definition.
std::size_t searched(const Matrix& sources, const Matrix& targets, std::size_t k, std::size_t count, std::size_t first,
                     std::size_t words) {
  const CommonSpace space = space_of(sources, targets);
  CslsStatistics& statistics = space.state().csls(k);
  statistics.learn_both();
  const TableSearch search(targets);
  const CountingSearch counting(search);
  const auto words_of = [&](Side side) { return NeighborListRanking::Words::of(space.state().rows(side)); };
  const NeighborListRanking ranking(words_of(Side::source), words_of(Side::target), ShardedSearch(counting), statistics,
                                    *statistics.nearest(), Side::source);
  std::vector<WordId> ids;  // in any order
  for (std::size_t i = first + words; i-- > first;) ids.push_back(static_cast<WordId>(i));
  const Candidates wanted = dense_csls(gather_rows(sources.view(), ids), sources, targets, k, count);
  std::size_t unbounded = 0;  // words whose lists are not full
  for (const bool refuse : {false, true}) {
    counting.refuse = refuse;
    counting.queries = 0;
    std::size_t fallback = 0;
    const Candidates found = ranking.best(ids, count, [&](ConstMatrixView queries, std::span<const double> means) {
      fallback = queries.rows();
      EXPECT_EQ(means.size(), fallback);
      return dense_csls(queries, sources, targets, k, count);
    });
    EXPECT_EQ(difference(wanted, found), "");
    if (!refuse) unbounded = fallback;
    EXPECT_EQ(fallback, refuse ? counting.queries + unbounded : unbounded);
  }
  return counting.queries + unbounded;
}

Matrix unit_rows(Spread spread, std::size_t rows, std::size_t dimension, std::uint64_t seed) {
  Matrix table = random_rows(spread, rows, dimension, seed);
  normalize_rows(table);
  return table;
}

TEST(NeighborListRanking, NeverMissesABetterTarget) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "both sides are searched for apart on this machine";
  std::uint64_t seed = 0;
  for (const Spread spread : all_spreads())
    for (const std::size_t k : {1, 3, 10})
      for (const std::size_t count : {1, 2, 9}) {
        if (++seed % effort(1, 4) != 0) continue;
        Matrix sources = unit_rows(spread, 90, 6, seed), targets = unit_rows(spread, 110, 6, ~seed);
        std::ranges::fill(sources.row(2), 0.0f);
        std::ranges::fill(targets.row(50), 0.0f);
        SCOPED_TRACE(name_of(spread) + ", k " + std::to_string(k) + ", count " + std::to_string(count));
        searched(sources, targets, k, count, 0, 90);
        searched(sources, targets, k, count, 30, 25);
      }
}

TEST(NeighborListRanking, FewWords) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "both sides are searched for apart on this machine";
  // Lists that hold all words need no search.
  EXPECT_EQ(searched(random_unit_rows(5, 3, 1), random_unit_rows(4, 3, 2), 10, 2, 0, 5), 0u);
  EXPECT_EQ(searched(random_unit_rows(5, 3, 1), random_unit_rows(40, 3, 2), 10, 2, 0, 5), 0u);
  EXPECT_EQ(searched(random_unit_rows(50, 3, 1), random_unit_rows(4, 3, 2), 10, 7, 0, 50), 0u);
}

/// Lists of the 3 nearest say little about the 9 best.
TEST(NeighborListRanking, ListsThatAreNotFullAreNotSearchedByRange) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "both sides are searched for apart on this machine";
  EXPECT_GT(searched(random_unit_rows(300, 6, 1), random_unit_rows(310, 6, 2), 3, 9, 0, 300), 200u);
}

/// Where translations lie near each other, hardly any word must be searched for.
TEST(NeighborListRanking, TranslationsAreFoundWithoutASearch) {
  if (!int8_filter_is_fast()) GTEST_SKIP() << "both sides are searched for apart on this machine";
  const Matrix sources = random_unit_rows(600, 20, 1);
  Matrix targets = random_unit_rows(600, 20, 2);
  for (std::size_t i = 0; i < targets.size(); ++i) targets.data()[i] = sources.data()[i] + 0.3f * targets.data()[i];
  normalize_rows(targets);
  EXPECT_LT(searched(sources, targets, 10, 1, 0, 600), 60u);
}

}  // namespace

}  // namespace wordbridge::neighbor_list_ranking_test
