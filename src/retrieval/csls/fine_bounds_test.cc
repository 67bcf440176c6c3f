#include "retrieval/csls/fine_bounds.h"

#include <gtest/gtest.h>

#include <numeric>

#include "retrieval/csls/bounds_test_support.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::fine_bounds_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::fine_bounds_test
