#include "retrieval/moving_csls.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "linalg/blas.h"
#include "linalg/random_map_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "parallel/threads_test_support.h"
#include "retrieval/csls.h"
#include "retrieval/dense_criteria_test_support.h"
#include "wordbridge/common_space.h"

namespace wordbridge::moving_csls_test {
namespace {

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
}  // namespace wordbridge::moving_csls_test
