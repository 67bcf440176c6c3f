#include "retrieval/csls/lazy_csls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/effort_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_map_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "parallel/threads_test_support.h"
#include "retrieval/csls/csls.h"
#include "retrieval/dense_criteria_test_support.h"
#include "search/search_cases_test_support.h"
#include "space/table_search.h"
#include "wordbridge/common_space.h"
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

constexpr std::size_t kSources = 1'500, kTargets = 1'400, kDimension = 16;

/// The slow twin: a space of its own for each map.
Candidates in_own_space(const UnitRows& sources, const UnitRows& targets, std::span<const WordId> words, std::size_t k,
                        std::size_t count) {
  const CommonSpace space(sources, targets);
  return Csls(space, {.neighbors = k, .statistics = CslsOptions::Statistics::full})
      .best(gather_rows(sources.rows(), words), count);
}

std::vector<WordId> every(std::size_t step, std::size_t end) {
  std::vector<WordId> words;
  for (std::size_t i = 0; i < end; i += step) words.push_back(static_cast<WordId>(i));
  return words;
}

/// W + share * noise.
Matrix moved(const Matrix& w, double share, std::uint64_t seed) {
  Matrix result = w;
  const Matrix noise = random_matrix(w.rows(), w.cols(), seed);
  for (std::size_t i = 0; i < w.size(); ++i) result.data()[i] += static_cast<float>(share) * noise.data()[i];
  return result;
}

UnitRows under(const Matrix& source, const Matrix& w) { return UnitRows::normalized(multiply_abt(source, w)); }

struct Case {
  std::size_t words_step, k, count;
};

void compare(const Case& of, const Matrix& source, const UnitRows& targets, std::span<const Matrix> maps) {
  const std::vector<WordId> words = every(of.words_step, source.rows());
  MovingCsls moving(targets, words, of.k);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    SCOPED_TRACE("map " + std::to_string(i));
    const UnitRows sources = under(source, maps[i]);
    EXPECT_EQ(difference(in_own_space(sources, targets, words, of.k, of.count), moving.best(sources, of.count)), "");
  }
}

// Small steps, none, a long one, and back.
std::vector<Matrix> some_maps() {
  const Matrix w = to_float(random_map(kDimension, kDimension, 1, 3));
  return {w, moved(w, 0.02, 5), w, moved(w, 2, 6), moved(w, 2.1, 6), moved(w, 0.01, 7)};
}

TEST(MovingCsls, AnswersLikeASpaceOfItsOwn) {
  const Matrix source = random_matrix(kSources, kDimension, 1);
  const UnitRows targets = UnitRows::normalized(random_matrix(kTargets, kDimension, 2));
  for (const Case& of : {Case{50, 10, 1}, Case{97, 1, 3}, Case{40, 25, 1}}) compare(of, source, targets, some_maps());
}

TEST(MovingCsls, ManyWordsAreRankedFully) {
  const Matrix source = random_matrix(kSources, kDimension, 1);
  const UnitRows targets = UnitRows::normalized(random_matrix(kTargets, kDimension, 2));
  compare({2, 10, 1}, source, targets, std::vector(2, some_maps().front()));
}

TEST(MovingCsls, ZeroRowsThatComeAndGo) {
  Matrix source = random_matrix(600, 4, 1), target = random_matrix(500, 4, 2);
  for (const std::size_t i : {3, 120, 121})
    std::ranges::fill(source.row(i), 0.0f), std::ranges::fill(target.row(i), 0.0f);
  for (std::size_t i = 200; i < 300; ++i) source(i, 0) = source(i, 1) = 0;  // only in what the second map drops
  for (std::size_t i = 300; i < 400; ++i) source(i, 2) = source(i, 3) = 0;  // only in what the third map drops
  Matrix all = Matrix::identity(4), first = all, last = all;
  first(2, 2) = first(3, 3) = last(0, 0) = last(1, 1) = 0;
  const std::vector<Matrix> maps = {all, first, last, all};
  compare({60, 5, 2}, source, UnitRows::normalized(std::move(target)), maps);
}

TEST(MovingCsls, FewerRowsThanNeighborsAndNone) {
  const Matrix source = random_matrix(7, kDimension, 1);
  compare({3, 10, 1}, source, UnitRows::normalized(random_matrix(90, kDimension, 2)), some_maps());
  compare({3, 10, 1}, source, UnitRows::normalized(Matrix(40, kDimension)), some_maps());
}

TEST(MovingCsls, TheSameForAnyNumberOfThreads) {
  const Matrix source = random_matrix(kSources, kDimension, 1);
  const UnitRows targets = UnitRows::normalized(random_matrix(kTargets, kDimension, 2));
  for (const int threads : {1, 3}) {
    const WithThreads scope(threads);
    compare({60, 10, 1}, source, targets, some_maps());
  }
}

}  // namespace

}  // namespace wordbridge::lazy_csls_test
