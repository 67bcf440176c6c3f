#include "retrieval/gc/rank_bounds.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/effort_test_support.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::rank_bounds_test {

namespace {

using ::testing::ElementsAre;

struct Tables {
  UnitRows sources, targets;
};

Tables tables_of(Spread spread, std::size_t rows, std::size_t dimension, std::uint64_t seed) {
  Matrix sources = random_rows(spread, rows, dimension, seed), targets = random_rows(spread, 600, dimension, ~seed);
  std::ranges::fill(sources.row(rows / 2), 0.0f);
  std::ranges::fill(targets.row(11), 0.0f);
  return {UnitRows::normalized(std::move(sources)), UnitRows::normalized(std::move(targets))};
}

/// The scores of all source words with a target, descending.
std::vector<float> scores_of(const Tables& tables, WordId target) {
  std::vector<float> scores;
  for (WordId i = 0; i < tables.sources.size(); ++i)
    if (!tables.sources.is_zero(i))
      scores.push_back(
          exact_score(tables.sources[i].data(), tables.targets[target].data(), tables.targets.dimension()));
  std::ranges::sort(scores, std::greater<>());
  return scores;
}

TEST(RankBounds, LevelsReachThePool) {
  const Tables tables = tables_of(Spread::kClustered, 50, 5, 1);
  EXPECT_THAT(RankBounds(tables.sources, tables.targets, 20).levels(),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20));
  EXPECT_THAT(RankBounds(tables.sources, tables.targets, 1).levels(), ElementsAre(1));
  EXPECT_EQ(RankBounds(tables.sources, tables.targets, 1000).levels().back(), tables.sources.nonzero());
  const UnitRows nobody = UnitRows::take(Matrix(3, 5));
  EXPECT_TRUE(RankBounds(nobody, tables.targets, 20).levels().empty());
}

TEST(RankBounds, AreNeverAboveTheRank) {
  std::uint64_t seed = 0;
  for (const Spread spread : all_spreads()) {
    if (++seed % effort(1, 3) != 0) continue;
    SCOPED_TRACE(name_of(spread));
    const Tables tables = tables_of(spread, 400, seed % 2 == 0 ? 3 : 24, seed);
    for (const std::size_t pool : {7, 100, 5000}) {
      const RankBounds bounds(tables.sources, tables.targets, pool);
      for (WordId y = 0; y < tables.targets.size(); y += 5) {
        if (tables.targets.is_zero(y)) continue;
        const std::vector<float> scores = scores_of(tables, y);
        for (std::size_t level = 0; level < bounds.levels().size(); ++level)
          EXPECT_GE(scores[bounds.levels()[level] - 1], bounds.scores(level)[y]);
        for (std::size_t i = 0; i < scores.size(); i += 3) {
          const auto rank = std::ranges::partition_point(scores, [&](float s) { return s > scores[i]; });
          EXPECT_LE(bounds.least_rank(y, scores[i]), static_cast<std::size_t>(rank - scores.begin()));
        }
      }
    }
  }
}

// Where the pool holds all source words, only rounding and the width of a bin are lost.
TEST(RankBounds, AreTight) {
  const Tables tables = tables_of(Spread::kDecaying, 300, 16, 5);
  const RankBounds bounds(tables.sources, tables.targets, 5000);
  for (WordId y = 12; y < tables.targets.size(); y += 7) {
    if (tables.targets.is_zero(y)) continue;
    const std::vector<float> scores = scores_of(tables, y);
    const float bin = 2.0f / 2047;
    for (std::size_t level = 0; level < bounds.levels().size(); ++level)
      EXPECT_GE(bounds.scores(level)[y], scores[bounds.levels()[level] - 1] - bin - 1e-5f);
    EXPECT_EQ(bounds.least_rank(y, -2.0f), bounds.levels().back());
    EXPECT_EQ(bounds.least_rank(y, 2.0f), 0u);
  }
}

// The rows that are sampled as centroids may all be zero.
TEST(RankBounds, WithoutClusters) {
  Matrix rows = random_rows(Spread::kDecaying, 20, 4, 3);
  std::ranges::fill(rows.row(0), 0.0f);
  const UnitRows targets = UnitRows::normalized(std::move(rows));
  const UnitRows sources = UnitRows::normalized(random_rows(Spread::kDecaying, 30, 4, 4));
  EXPECT_EQ(RankBounds(sources, targets, 10).least_rank(5, -1.0f), 0u);
}

TEST(RankBounds, AllAlike) {
  const Matrix one = random_rows(Spread::kClustered, 1, 4, 3);
  Matrix rows(30, 4);
  for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(one.row(0), rows.row(i).begin());
  const UnitRows table = UnitRows::normalized(std::move(rows));
  const RankBounds bounds(table, table, 10);
  EXPECT_EQ(bounds.least_rank(3, exact_score(table[3].data(), table[4].data(), 4)), 0u);
  EXPECT_EQ(bounds.least_rank(3, 0.9f), 10u);
}

}  // namespace

}  // namespace wordbridge::rank_bounds_test
