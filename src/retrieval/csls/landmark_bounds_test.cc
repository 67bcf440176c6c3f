#include "retrieval/csls/landmark_bounds.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "linalg/random_matrix_test_support.h"
#include "retrieval/csls/bounds_test_support.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::landmark_bounds_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::landmark_bounds_test
