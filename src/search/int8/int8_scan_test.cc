#include "search/int8/int8_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/random.h"
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::int8_scan_test {

namespace {

/// Runs a job of 640 pairs in which each check that is done ends so many of them; returns the first that was done.
std::size_t first_done(EarlyTerminationPolicy& policy, std::vector<std::uint64_t> ends) {
  FilterJob job{};
  job.query_count = 10;
  job.panels = 1;
  policy.prepare(job);
  for (std::size_t check = job.first_check; check < ends.size(); ++check) job.terminated[check] += ends[check];
  policy.learn(job);
  return job.first_check;
}

TEST(EarlyTerminationPolicy, LeavesOutWhatEndsLittle) {
  EarlyTerminationPolicy policy(2);
  EXPECT_EQ(first_done(policy, {79, 300}), 0u);  // less than an eighth
  EXPECT_EQ(first_done(policy, {79, 300}), 1u);
  EXPECT_EQ(first_done(policy, {79, 300}), 1u);
  EXPECT_EQ(first_done(policy, {0, 10}), 1u);
  EXPECT_EQ(first_done(policy, {0, 0}), 2u);
}

TEST(EarlyTerminationPolicy, TriesAgain) {
  EarlyTerminationPolicy policy(1);
  std::size_t done = 0;
  for (int job = 0; job < 33; ++job) done += first_done(policy, {0}) == 0;
  EXPECT_EQ(done, 3u);
}

TEST(EarlyTerminationPolicy, NothingToChoose) {
  EarlyTerminationPolicy policy(0);
  EXPECT_EQ(first_done(policy, {}), 0u);
  EXPECT_EQ(first_done(policy, {}), 0u);
}

// What whole scans find: neighbor_search_test.cc.

class Int8ScanTest : public testing::TestWithParam<const Kernels*> {};

/// Blocks one by one, for some queries each time, against a scan of all, and against every score.
TEST_P(Int8ScanTest, BoundsOfBlocks) {
  if (GetParam()->filter->block_rows == 0) GTEST_SKIP() << "filters whole panels";
  Random random(1);
  for (const Spread spread : {Spread::kGaussian, Spread::kClustered, Spread::kNearTies})
    for (const TableLayout layout : {TableLayout::plain, TableLayout::clustered}) {
      const Matrix rows = random_rows(spread, 60 + random.index(300), 24, random.bits());
      const Matrix queries = random_rows(spread, 41, 24, random.bits());
      const Int8Table table(rows, *GetParam(), layout);
      Int8Scan all(table, queries, 10), parts(table, queries, 10);
      all.keep_block_bounds();
      all.filter(0, table.panels());
      Matrix whole(queries.rows(), table.blocks()), single = whole;
      for (std::size_t i = 0; i < queries.rows(); ++i) all.copy_block_bounds(i, whole.row(i));
      for (std::size_t block = 0; block < table.blocks(); ++block) {
        std::vector<std::uint32_t> some[2];
        for (std::uint32_t i = 0; i < queries.rows(); ++i) some[random.index(2)].push_back(i);
        for (const auto& group : some) {
          std::vector<float> bounds(group.size());
          if (!group.empty()) parts.filter_block(block, group, bounds);
          for (std::size_t i = 0; i < group.size(); ++i) single(group[i], block) = bounds[i];
        }
      }
      for (std::size_t i = 0; i < queries.rows(); ++i) {
        if (!all.has_bounds(i)) continue;
        for (std::uint32_t row = 0; row < table.rows(); ++row) {
          const float score = exact_score(queries.row(i).data(), rows.row(table.id_of(row)).data(), 24);
          EXPECT_GE(whole(i, row / table.block_rows()), score) << name_of(spread);
        }
        for (std::size_t block = 0; block < table.blocks(); ++block) EXPECT_EQ(whole(i, block), single(i, block));
        const auto expected = all.take_top_k(i).take_sorted(), found = parts.take_top_k(i).take_sorted();
        ASSERT_EQ(expected.size(), found.size());
        for (std::size_t r = 0; r < expected.size(); ++r) EXPECT_EQ(expected[r].id, found[r].id);
      }
    }
}

/// Rows with a smaller score than the lower bound are not among the best, as soon as k rows have been seen.
TEST_P(Int8ScanTest, LowerBoundsRise) {
  if (GetParam()->filter->block_rows == 0) GTEST_SKIP() << "filters whole panels";
  const Matrix rows = random_rows(Spread::kGaussian, 200, 16, 3), query = random_rows(Spread::kGaussian, 1, 16, 4);
  const Int8Table table(rows, *GetParam(), TableLayout::plain);
  Int8Scan scan(table, query, 5);
  EXPECT_EQ(scan.lower_bound(0), -std::numeric_limits<double>::infinity());
  float bound = 0;
  const std::uint32_t only = 0;
  for (std::size_t block = 0; block * table.block_rows() < 64; ++block)
    scan.filter_block(block, {&only, 1}, {&bound, 1});
  scan.refine_now(0);
  std::vector<float> scores;
  for (std::size_t row = 0; row < 200; ++row)
    scores.push_back(exact_score(query.row(0).data(), rows.row(row).data(), 16));
  std::sort(scores.begin(), scores.begin() + 64, std::greater<>());
  EXPECT_LE(scan.lower_bound(0), scores[4]);
  EXPECT_NEAR(scan.lower_bound(0), scores[4], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, Int8ScanTest, testing::ValuesIn(available_kernels()),
                         [](const auto& tested) { return std::string(tested.param->name); });

}  // namespace

}  // namespace wordbridge::int8_scan_test
