#include "search/warm_start/packed_list.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wordbridge::packed_list_test {
namespace {

TEST(PackedList, BoundsAreNeverBelowAndLittleAbove) {
  Random random(1);
  for (const double size : {1e-30, 1e-3, 1.0, 1e30})
    for (const double outside : {-0.5, 0.0, 0.4}) {
      std::vector<ScoredRow> rows;
      for (std::uint32_t i = 0; i < 300; ++i)
        rows.push_back({static_cast<float>((outside + 1e-6 + 0.2 * random.uniform()) * size), 16'000'000 + i});
      const PackedList list(rows, outside * size, 20);
      ASSERT_EQ(list.size(), rows.size());
      EXPECT_EQ(list.outside(), outside * size);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(list.id(i), rows[i].id);
        EXPECT_GE(list.upper_bound(i), double{rows[i].score}) << i;
        if (i < 20) continue;
        EXPECT_LE(list.upper_bound(i), double{rows[i].score} + 0.001 * size) << i;
      }
    }
}

TEST(PackedList, OneBoundForAll) {
  const std::vector<ScoredRow> rows(5, {0.25f, 3});
  for (const double outside : {0.25, 0.2499}) {
    const PackedList list(rows, outside, 1);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_GE(list.upper_bound(i), 0.25);
  }
}

TEST(PackedList, ListsOfAllRows) {
  const std::vector<ScoredRow> rows = {{0.5f, 0}, {-3.0f, 7}, {0.0f, 2}};
  const PackedList list(rows, -std::numeric_limits<double>::infinity(), 1);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(list.id(i), rows[i].id);
    EXPECT_EQ(list.upper_bound(i), std::numeric_limits<double>::infinity());
  }
  EXPECT_EQ(PackedList().size(), 0u);
}

TEST(PackedList, InfiniteScoresHaveNoBound) {
  const std::vector<ScoredRow> rows = {{std::numeric_limits<float>::infinity(), 0}, {1.0f, 1}};
  const PackedList list(rows, 0.5, 0);
  EXPECT_EQ(list.upper_bound(0), std::numeric_limits<double>::infinity());
  EXPECT_GE(list.upper_bound(1), 1.0);
}

}  // namespace
}  // namespace wordbridge::packed_list_test
