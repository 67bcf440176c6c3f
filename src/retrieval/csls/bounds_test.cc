#include "retrieval/csls/bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/random.h"
#include "linalg/random_matrix_test_support.h"
#include "retrieval/csls/bounds_test_support.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::bounds_test {

namespace {

TEST(BoundSlacks, LargestNormIsNotBelowAny) {
  for (const Spread spread : {Spread::kGaussian, Spread::kSparse, Spread::kTiny, Spread::kMixedNorms}) {
    const Matrix table = random_rows(spread, 5000, 7, 1);
    const RowNorms norms = row_norms(table);
    std::size_t eligible = 0;
    double largest = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      double square = 0;
      for (const float value : table.row(i)) square += double{value} * double{value};
      eligible += square > 0;
      largest = std::max(largest, std::sqrt(square));
    }
    EXPECT_EQ(norms.eligible, eligible) << name_of(spread);
    EXPECT_GE(norms.largest, largest) << name_of(spread);
    EXPECT_LE(norms.largest, largest * 1.000001 + 1e-22) << name_of(spread);
  }
}

TEST(BoundSlacks, ASearchOverUnitRowsKnowsTheirNorms) {
  Matrix table = random_rows(Spread::kSparse, 500, 7, 1);
  normalize_rows(table);
  const RowNorms measured = row_norms(table), known = row_norms(TableSearch(UnitRows::view(table)));
  EXPECT_EQ(known.eligible, measured.eligible);
  EXPECT_NEAR(known.largest, measured.largest, 1e-6);
  EXPECT_EQ(row_norms(TableSearch(table)).largest, measured.largest);
}

TEST(BoundSlacks, OfAnEmptyTable) {
  EXPECT_EQ(row_norms(Matrix(0, 3)).eligible, 0u);
  EXPECT_EQ(row_norms(Matrix(5, 3)).largest, 0);
}

// d roundings of 2^-24 of the product of the norms, and hardly more.
TEST(BoundSlacks, GrowWithTheNorms) {
  EXPECT_GT(mean_slack(300, 10, 1, 1), 300 * 0x1.0p-24);
  EXPECT_LT(mean_slack(300, 10, 1, 1), 320 * 0x1.0p-24);
  EXPECT_NEAR(mean_slack(300, 10, 3, 2), 6 * mean_slack(300, 10, 1, 1), 1e-12);
  EXPECT_GT(score_slack(300, 1, 1, 1), 2 * 300 * 0x1.0p-24);
  EXPECT_LT(score_slack(300, 1, 1, 1), 2 * 320 * 0x1.0p-24);
  EXPECT_TRUE(std::isinf(mean_slack(300, 10, 0x1.0p100, 0x1.0p100)));
}

// By all source words the bounds are tight, by some they are looser, and never wrong.
TEST(FineBounds, AreOnTheirSideOfTheTruth) {
  for (const Spread spread : {Spread::kGaussian, Spread::kClustered, Spread::kNearTies, Spread::kIntegers}) {
    const Matrix sources = random_rows(spread, 90, 9, 1), targets = random_rows(spread, 600, 9, 2);
    const Matrix queries = random_rows(spread, 2, 9, 3);
    const CslsBatch batch = csls_batch(queries, sources, targets, 4);
    const MeanBounds nothing(targets.rows());
    std::vector<WordId> ids(targets.rows()), words(sources.rows());
    std::iota(ids.begin(), ids.end(), WordId{0});
    std::iota(words.begin(), words.end(), WordId{0});
    const double size = row_norms(sources).largest * row_norms(targets).largest;
    for (const std::size_t count : {4, 50, 90}) {
      const auto found = fine_bounds(batch, nothing, 1, ids, std::span(words).first(count));
      ASSERT_EQ(found.size(), ids.size());
      for (WordId y = 0; y < ids.size(); ++y) {
        const double mean = exact_mean(sources, targets.row(y), 4);
        const double score = exact_score(queries.row(1).data(), targets.row(y).data(), 9);
        EXPECT_EQ(found[y].id, y);
        EXPECT_LE(found[y].mean, mean) << name_of(spread) << ", target " << y << ", " << count << " words";
        EXPECT_GE(found[y].upper_bound, 2 * score - (0.25 + mean));
        if (count == 90) {
          EXPECT_NEAR(found[y].mean, mean, 1e-5 * size);
        }
        std::size_t reach = 0;
        for (std::size_t i = 0; i < count; ++i)
          reach += exact_score(sources.row(i).data(), targets.row(y).data(), 9) >= found[y].kth_score;
        EXPECT_GE(reach, 4u);
      }
    }
  }
}

TEST(FineBounds, KnownBoundsCount) {
  const Matrix sources = random_rows(Spread::kGaussian, 20, 5, 1), targets = random_rows(Spread::kGaussian, 3, 5, 2);
  const CslsBatch batch = csls_batch(sources, sources, targets, 2);
  MeanBounds bounds(3);
  bounds.mean[1] = 100;
  const std::vector<WordId> ids = {1}, words = {0, 1, 2};
  const auto found = fine_bounds(batch, bounds, 0, ids, words);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].mean, 100);
}

TEST(LandmarkBounds, MeansOfTheFirstWords) {
  Matrix sources(3, 2);
  sources(0, 0) = 1;
  sources(1, 1) = 3;
  sources(2, 0) = 100;
  const Matrix found = landmarks(sources, {{0, 1, 2}, {1, 0}}, 2);
  ASSERT_EQ(found.rows(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found(i, 0), 0.5f);
    EXPECT_EQ(found(i, 1), 1.5f);
  }
}

// More targets than a block of a product; pools are any words, so that many bounds are far below, and some are tight.
TEST(LandmarkBounds, AreNeverAboveTheMeans) {
  Random random(3);
  for (const Spread spread : {Spread::kGaussian, Spread::kClustered, Spread::kNearTies, Spread::kTiny}) {
    const Matrix sources = random_rows(spread, 60, 9, 1), targets = random_rows(spread, 700, 9, 2);
    const Matrix queries = random_rows(spread, 300, 9, 3);
    const CslsBatch batch = csls_batch(queries, sources, targets, 4);
    std::vector<std::vector<WordId>> pools(queries.rows());
    for (auto& pool : pools) {
      std::vector<WordId> all(sources.rows());
      for (WordId id = 0; id < all.size(); ++id) all[id] = id;
      random.shuffle(all);
      pool.assign(all.begin(), all.begin() + 5);
    }
    const Matrix marks = landmarks(sources, pools, 4);
    MeanBounds bounds(targets.rows());
    bounds.mean[3] = 1e30f;  // stays: bounds are only raised
    std::vector<std::uint32_t> best(targets.rows());
    raise_by_landmarks(marks, targets, batch.mean_slack, bounds.mean, best);
    EXPECT_EQ(bounds.mean[3], 1e30f);
    bounds.mean[3] = -std::numeric_limits<float>::infinity();
    for (WordId y = 0; y < targets.rows(); ++y) {
      const double mean = exact_mean(sources, targets.row(y), 4);
      EXPECT_LE(bounds.mean[y], mean) << name_of(spread) << ", target " << y;
      const double by_best = exact_score(marks.row(best[y]).data(), targets.row(y).data(), 9);
      EXPECT_TRUE(y == 3 || bounds.mean[y] >= by_best - 3 * batch.mean_slack - 1e-40);
      const OpenTarget open = bound_by_landmark(batch, bounds, y % 300, marks.row(y % 300), y);
      EXPECT_LE(open.mean, mean);
      const double score = exact_score(queries.row(y % 300).data(), targets.row(y).data(), 9);
      EXPECT_GE(open.upper_bound, 2 * score - (0.25 + mean));
      EXPECT_EQ(open.id, y);
    }
  }
}

std::vector<WordId> ids(const std::vector<OpenTarget>& open) {
  std::vector<WordId> result;
  for (const OpenTarget& target : open) result.push_back(target.id);
  return result;
}

TEST(Pruning, KeepsWhatReachesTheThreshold) {
  std::vector<OpenTarget> open = {{3, 0, 0, 7}, {1, 0, 0, 8}, {2, 0, 0, 9}, {3, 0, 0, 1}};
  prune_targets(open, 2);
  EXPECT_THAT(ids(open), testing::ElementsAre(7, 9, 1));
  sort_by_upper_bound(open);
  EXPECT_THAT(ids(open), testing::ElementsAre(1, 7, 9));
}

TEST(Pruning, BoundsOfOneQueryServeAll) {
  MeanBounds bounds(3);
  bounds.mean[1] = 0.75f;
  OpenTargets open = {{{2, 0.5, 0.25f, 0}, {2, 0.5, 0.25f, 1}}, {{1, 0.25, 0.5f, 0}}};
  share_bounds(open, bounds);
  EXPECT_EQ(bounds.mean[0], 0.5f);
  EXPECT_EQ(bounds.kth_score[0], 0.5f);
  EXPECT_EQ(bounds.mean[1], 0.75f);
  EXPECT_EQ(bounds.mean[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(open[0][0].upper_bound, 2);     // it knew best itself
  EXPECT_EQ(open[0][1].upper_bound, 1.75);  // r_s is 0.25 more than it knew
  EXPECT_EQ(open[1][0].upper_bound, 0.75);
}

// Random bounds above random scores: the lists are those of all scores, and few are computed.
TEST(Pruning, PortionsFindTheBestWithoutAllScores) {
  Random random(1);
  constexpr std::size_t kQueries = 40, kTargets = 500, kCount = 3;
  std::vector<std::vector<double>> scores(kQueries);
  OpenTargets open(kQueries);
  std::vector<TopK<double>> lists(kQueries, TopK<double>(kCount)), expected = lists;
  for (std::size_t i = 0; i < kQueries; ++i) {
    for (WordId id = 0; id < kTargets; ++id) {
      scores[i].push_back(random.uniform());
      open[i].push_back({scores[i][id] + 0.1 * random.uniform(), 0, 0, id});
      expected[i].offer(scores[i][id], id);
    }
    sort_by_upper_bound(open[i]);
  }
  std::set<WordId> known;
  std::size_t calls = 0, offered = 0;
  const auto learn = [&](std::vector<WordId> targets) {
    ++calls;
    known.insert(targets.begin(), targets.end());
  };
  const auto score = [&](std::size_t query, WordId id) -> std::optional<double> {
    if (known.count(id) == 0) return std::nullopt;
    ++offered;
    return scores[query][id];
  };
  const Matrix rows(kTargets, 1);
  const TargetsAsked asked{ShardedRows::whole(rows), kCount};
  refine_in_portions(open, lists, 1, asked, learn, score);
  EXPECT_EQ(calls, 1u);
  refine_in_portions(open, lists, std::numeric_limits<std::size_t>::max(), asked, learn, score);
  for (std::size_t i = 0; i < kQueries; ++i) {
    EXPECT_TRUE(open[i].empty());
    const auto best = expected[i].sorted(), found = lists[i].sorted();
    ASSERT_EQ(found.size(), best.size());
    for (std::size_t j = 0; j < best.size(); ++j) EXPECT_EQ(found[j].id, best[j].id);
  }
  EXPECT_LT(offered, kQueries * kTargets);
}

}  // namespace

}  // namespace wordbridge::bounds_test
