#include "space/csls_statistics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "linalg/random_matrix_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "space/table_search.h"
#include "wordbridge/error.h"

namespace wordbridge::csls_statistics_test {
namespace {

struct CslsStatisticsTest : ::testing::Test {
  /// By the definition.
  static std::vector<double> expected(ConstMatrixView rows, ConstMatrixView others, std::size_t k) {
    const Neighbors nearest = BruteForceSearch(others).search(rows, k);
    std::vector<double> means;
    for (std::size_t i = 0; i < rows.rows(); ++i) means.push_back(mean_score(nearest.scores_of(i)));
    return means;
  }
  static std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

  const Matrix source_table = random_unit_rows(300, 9, 1), target_table = random_unit_rows(250, 9, 2);
  const UnitRows source = UnitRows::view(source_table), target = UnitRows::view(target_table);
  const TableSearch source_search{source_table}, target_search{target_table};
  const std::vector<double> of_source = expected(source_table, target_table, 4),
                            of_target = expected(target_table, source_table, 4);
  CslsStatistics statistics{source, target, source_search, target_search, 4};
};

TEST_F(CslsStatisticsTest, EachSideWhenItIsAskedFor) {
  EXPECT_FALSE(statistics.complete(Side::target));
  EXPECT_EQ(copy(statistics.of_all(Side::target)), of_target);
  EXPECT_TRUE(statistics.complete(Side::target));
  EXPECT_FALSE(statistics.complete(Side::source));
  EXPECT_EQ(statistics.of(Side::source, 10, 5), std::vector<double>(of_source.begin() + 10, of_source.begin() + 15));
  EXPECT_EQ(statistics.known(Side::source), 5u);
  EXPECT_EQ(copy(statistics.of_all(Side::source)), of_source);
}

TEST_F(CslsStatisticsTest, BothSidesAtOnce) {
  statistics.learn_both();
  EXPECT_EQ(copy(statistics.of_all(Side::source)), of_source);
  EXPECT_EQ(copy(statistics.of_all(Side::target)), of_target);
  if (const TwoSidedNeighbors* nearest = statistics.learned()) {
    EXPECT_EQ(mean_score(nearest->of_source.scores_of(17).first(4)), of_source[17]);
  }
}

TEST_F(CslsStatisticsTest, SomeAreKnownBefore) {
  { CslsStatistics::Partial(statistics, Side::target).means().learn({3, 200}); }
  EXPECT_EQ(statistics.known(Side::target), 2u);
  statistics.learn_both();
  EXPECT_EQ(copy(statistics.of_all(Side::target)), of_target);
}

TEST_F(CslsStatisticsTest, ManyThreads) {
  std::vector<std::vector<double>> found(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      if (t % 4 == 1) statistics.learn_both();
      if (t % 4 == 2) CslsStatistics::Partial(statistics, Side::target).means().learn({static_cast<WordId>(t)});
      found[t] = t % 4 == 3 ? statistics.of(Side::target, 0, 250) : copy(statistics.of_all(Side::target));
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& values : found) EXPECT_EQ(values, of_target);
}

TEST_F(CslsStatisticsTest, NeedsNeighbors) {
  EXPECT_THROW(CslsStatistics(source, target, source_search, target_search, 0), UsageError);
}

}  // namespace
}  // namespace wordbridge::csls_statistics_test
