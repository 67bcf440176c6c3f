#include "retrieval/csls/csls_memory.h"

#include <gtest/gtest.h>

#include <limits>

#include "linalg/random_matrix_test_support.h"
#include "retrieval/csls/bounds_test_support.h"
#include "retrieval/csls/landmark_bounds.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::csls_memory_test {
namespace {

constexpr float kUnknown = -std::numeric_limits<float>::infinity();

TEST(CslsMemory, ServesTheSameQueriesAndZeros) {
  CslsMemory memory(5);
  const std::vector<WordId> none, one = {3};
  EXPECT_FALSE(memory.serves(0, 1, none));
  EXPECT_FALSE(memory.serves(2, 1, none));
  memory.best = {2, 1, {4, 0}, {0.5, 0.25}};
  EXPECT_TRUE(memory.serves(2, 1, none));
  EXPECT_FALSE(memory.serves(2, 2, none));
  EXPECT_FALSE(memory.serves(3, 1, none));
  EXPECT_FALSE(memory.serves(2, 1, one));
  memory.zero_sources = one;
  EXPECT_TRUE(memory.serves(2, 1, one));
  memory.forget_queries();
  EXPECT_FALSE(memory.serves(2, 1, one));
}

// What is remembered may be any source words: the bounds hold, and are tight where the words are the nearest.
TEST(CslsMemory, BoundsAreNeverAboveTheMeans) {
  constexpr std::size_t k = 4;
  for (const Spread spread : {Spread::kGaussian, Spread::kClustered, Spread::kNearTies, Spread::kTiny}) {
    SCOPED_TRACE(name_of(spread));
    const Matrix sources = random_rows(spread, 60, 9, 1), targets = random_rows(spread, 700, 9, 2);
    const CslsBatch batch = csls_batch(sources, sources, targets, k);
    CslsMemory memory(targets.rows());
    for (WordId i = 0; i < sources.rows(); ++i) memory.pools.push_back({i, (i + 1) % 60, (i + 7) % 60, (i + 9) % 60});
    for (WordId y = 0; y < targets.rows(); ++y) {
      memory.landmark_of.push_back(y % 60);
      const WordId first = y % 50;
      if (y % 3 == 0) memory.nearest.add(y, std::vector<WordId>{first, first + 1, first + 5, first + 9});
      if (y % 3 == 1) memory.nearest.add(y, std::vector<WordId>{first, first + 1});  // too few
    }
    MeanBounds bounds(targets.rows());
    bounds.mean[3] = 1e30f;  // stays: bounds are only raised
    raise_by_memory(batch, memory, landmarks(sources, memory.pools, k), bounds);
    EXPECT_EQ(bounds.mean[3], 1e30f);
    bounds.mean[3] = kUnknown;
    for (WordId y = 0; y < targets.rows(); ++y) {
      EXPECT_LE(bounds.mean[y], exact_mean(sources, targets.row(y), k)) << "target " << y;
      EXPECT_TRUE(y == 3 || bounds.mean[y] > kUnknown);
      EXPECT_EQ(bounds.kth_score[y] > kUnknown, y % 3 == 0);
      std::size_t reaching = 0;
      for (std::size_t x = 0; x < sources.rows(); ++x)
        reaching += exact_score(sources.row(x).data(), targets.row(y).data(), 9) >= bounds.kth_score[y];
      EXPECT_GE(reaching, k);
    }
  }
}

}  // namespace
}  // namespace wordbridge::csls_memory_test
