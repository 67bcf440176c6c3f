#include "search/range_search.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "parallel/threads_test_support.h"

namespace wordbridge::range_search_test {
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

}  // namespace
}  // namespace wordbridge::range_search_test
