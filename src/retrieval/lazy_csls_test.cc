#include "retrieval/lazy_csls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/effort_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "retrieval/dense_criteria_test_support.h"
#include "search/search_cases_test_support.h"
#include "space/table_search.h"
#include "wordbridge/normalizer.h"

// As a criterion it is tested in criterion_contract_test.cc and csls_test.cc; here are cases for its bounds.

namespace wordbridge::lazy_csls_test {
namespace {

/// The pieces that Csls puts together.
struct Lazy {
  Lazy(ConstMatrixView sources, ConstMatrixView targets, std::size_t k)
      : source_search(sources),
        target_search(targets),
        means(targets, source_search, k),
        csls(source_search, target_search, means, k) {}

  TableSearch source_search, target_search;
  NeighborhoodMeans means;
  LazyCsls csls;
};

void check(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t k,
           std::size_t count) {
  Lazy lazy(sources, targets, k);
  const auto found = lazy.csls.best(queries, count);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(difference(dense_csls(queries, sources, targets, k, count), *found), "");
}

TEST(LazyCsls, BoundsHoldForAnySpread) {
  std::uint64_t seed = 100;
  for (const Spread spread : all_spreads()) {
    for (const std::size_t k : {1, 2, 10}) {
      if (++seed % effort(1, 2) != 0) continue;
      // More sources than the fine bounds look at, more targets than a block.
      Matrix sources = random_rows(spread, 650, 8, seed), targets = random_rows(spread, 600, 8, ~seed);
      normalize_rows(sources);
      normalize_rows(targets);
      SCOPED_TRACE(name_of(spread) + ", k " + std::to_string(k));
      check(sources.view().slice(0, 10), sources, targets, k, 5);
    }
  }
}

// Rows that are not of unit length: the slack goes with the norms.
TEST(LazyCsls, AnyNorms) {
  for (const Spread spread : {Spread::kGaussian, Spread::kTiny, Spread::kMixedNorms, Spread::kIntegers}) {
    const Matrix sources = random_rows(spread, 200, 5, 1), targets = random_rows(spread, 300, 5, 2);
    SCOPED_TRACE(name_of(spread));
    check(sources.view().slice(0, 10), sources, targets, 3, 4);
  }
}

// Targets whose scores differ by less than fp32 products can tell: groups around few directions, moved by a last bit.
TEST(LazyCsls, NearTies) {
  const Matrix directions = random_unit_rows(5, 16, 1);
  std::vector<WordId> ids(800);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<WordId>(i % 5);
  Matrix targets = gather_rows(directions, ids);
  for (std::size_t i = 0; i < targets.rows(); ++i) {
    float& value = targets(i, i % 16);
    value = std::nextafter(value, i % 3 == 0 ? 2.0f : -2.0f);
  }
  const Matrix sources = random_unit_rows(100, 16, 2);
  check(sources, sources, targets, 10, 10);
}

TEST(LazyCsls, OneQueryAtATimeOrAll) {
  Matrix sources = random_rows(Spread::kClustered, 700, 12, 1), targets = random_rows(Spread::kClustered, 800, 12, 2);
  normalize_rows(sources);
  normalize_rows(targets);
  const ConstMatrixView queries = sources.view().slice(0, 30);
  Lazy lazy(sources, targets, 10);
  const Candidates expected = dense_csls(queries, sources, targets, 10, 6);
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    const auto found = lazy.csls.best(queries.slice(i, i + 1), 6);
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(std::ranges::equal(found->targets, expected.targets_of(i)));
    EXPECT_TRUE(std::ranges::equal(found->scores, expected.scores_of(i)));
  }
}

// Means that somebody else has learned came without neighbors.
TEST(LazyCsls, MeansOfOthers) {
  const Matrix sources = random_unit_rows(700, 12, 1), targets = random_unit_rows(800, 12, 2);
  const ConstMatrixView queries = sources.view().slice(0, 30);
  for (const WordId learned : {400, 800}) {
    Lazy lazy(sources, targets, 10);
    std::vector<WordId> ids(learned);
    std::iota(ids.begin(), ids.end(), WordId{0});
    lazy.means.learn(ids);
    const auto found = lazy.csls.best(queries, 6);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(difference(dense_csls(queries, sources, targets, 10, 6), *found), "");
  }
}

TEST(LazyCsls, GivesUpWhereProductsOverflow) {
  const Matrix sources = random_rows(Spread::kHuge, 50, 4, 1), targets = random_rows(Spread::kHuge, 60, 4, 2);
  Lazy lazy(sources, targets, 3);
  EXPECT_FALSE(lazy.csls.best(sources, 2).has_value());
}

TEST(LazyCsls, GivesUpWithoutSourceWords) {
  const Matrix sources(10, 4), targets = random_unit_rows(10, 4, 1);
  Lazy lazy(sources, targets, 3);
  EXPECT_FALSE(lazy.csls.best(targets, 2).has_value());
}

}  // namespace
}  // namespace wordbridge::lazy_csls_test
