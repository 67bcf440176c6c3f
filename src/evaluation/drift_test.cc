#include "evaluation/drift.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::drift_test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Le;

constexpr std::size_t kWords = 1200, kDimension = 20;

Matrix random_table(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Matrix table(rows, kDimension);
  for (float& value : table.elements()) value = static_cast<float>(random.normal());
  return table;
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back("w" + std::to_string(i));
  return words;
}

struct Planted {
  WordVectors older, newer;
};

/// The new table is the old one, turned, with noise; every `every`-th word is somewhere else.
Planted planted(std::size_t every, double noise, std::uint64_t seed = 1) {
  const Matrix older = random_table(kWords, seed), other = random_table(kWords, seed + 100);
  MatrixD square(kDimension, kDimension);
  Random random(seed + 200);
  for (double& value : square.elements()) value = random.normal();
  Matrix newer = multiply_abt(older, to_float(nearest_orthogonal(square)));
  for (std::size_t i = 0; i < kWords; ++i)
    for (std::size_t j = 0; j < kDimension; ++j) {
      newer(i, j) += static_cast<float>(noise * random.normal());
      if (every != 0 && i % every == every / 2) newer(i, j) = other(i, j);
    }
  const Vocabulary vocabulary(names(kWords));
  return {WordVectors(vocabulary, older), WordVectors(vocabulary, std::move(newer))};
}

TEST(FindDrift, PlantedWordsAreFoundAndOthersAreNot) {
  for (const std::size_t every : {40U, 5U}) {  // 30 and 240 of 1,200 words
    const Planted tables = planted(every, 0.3);
    const std::size_t changed = kWords / every;
    const Drift drift = find_drift(tables.older, tables.newer, {.count = changed});
    EXPECT_EQ(drift.shared, kWords);
    std::size_t right = 0;
    for (const DriftedWord& word : drift.words) right += (word.old_rank - 1) % every == every / 2;
    EXPECT_GE(right, changed * 98 / 100);
    EXPECT_GE(drift.significant, changed * 95 / 100);
    EXPECT_LE(drift.significant, changed * 110 / 100 + 3);
    EXPECT_GT(drift.median_cosine, 0.9);
    EXPECT_LT(drift.words.front().kept, 0.4);
  }
}

TEST(FindDrift, WhereNothingChangedNothingIsFound) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Planted tables = planted(0, 0.3, seed);
    const Drift drift = find_drift(tables.older, tables.newer);
    found += drift.significant;
    EXPECT_GT(drift.trusted, 0.9);
    EXPECT_GT(drift.words.back().kept, 0.2);
  }
  EXPECT_LE(found, 5U);  // of 6,000 words; by chance
}

TEST(FindDrift, EqualTablesDoNotDiffer) {
  const Matrix table = random_table(kWords, 3);
  const WordVectors vectors(Vocabulary(names(kWords)), table);
  const Drift drift = find_drift(vectors, vectors);
  EXPECT_EQ(drift.significant, 0U);
  EXPECT_NEAR(drift.median_cosine, 1, 1e-5);
  EXPECT_EQ(drift.words.front().kept, 1);
}

/// A third of all words goes together to another place: a plain fit of all words is bent by them, the robust one is
/// not.
TEST(FindDrift, TheFitIsNotBentByWordsThatChangedTogether) {
  Planted tables = planted(0, 0.05);
  Matrix& newer = tables.newer.table();
  for (std::size_t i = 0; i < kWords; i += 3)
    for (std::size_t j = 0; j < kDimension; ++j) newer(i, j) = tables.older.table()(i, (j + 1) % kDimension);
  const Drift drift = find_drift(tables.older, tables.newer, {.count = 0});
  double least_unchanged = 1;
  for (const DriftedWord& word : drift.words)
    if ((word.old_rank - 1) % 3 != 0) least_unchanged = std::min(least_unchanged, word.cosine);
  EXPECT_GT(least_unchanged, 0.97);
  EXPECT_NEAR(drift.trusted, 2.0 / 3, 0.05);
}

TEST(FindDrift, ComparesTheWordsThatBothTablesHave) {
  const Planted tables = planted(40, 0.2);
  std::vector<std::string> reversed;
  Matrix rows(kWords, kDimension);
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::size_t from = kWords - 1 - i;
    reversed.push_back(from % 2 == 0 ? "w" + std::to_string(from) : "new" + std::to_string(from));
    std::ranges::copy(tables.newer.table().row(from), rows.row(i).begin());
  }
  std::ranges::fill(rows.row(kWords - 1), 0.0F);  // w0 has no vector any more
  const Drift drift =
      find_drift(tables.older, WordVectors(Vocabulary(reversed), std::move(rows)), {.count = 25, .neighbors = 3});
  EXPECT_EQ(drift.shared, kWords / 2 - 1);
  for (const DriftedWord& word : drift.words) {
    EXPECT_EQ(word.word, "w" + std::to_string(word.old_rank - 1));
    EXPECT_EQ(word.new_rank, kWords - (word.old_rank - 1));
    EXPECT_EQ(word.old_neighbors.size(), 3U);
    EXPECT_EQ(std::ranges::count(word.new_neighbors, word.word), 0);
    EXPECT_THAT(word.p, AllOf(Ge(0), Le(1)));
  }
  EXPECT_TRUE(std::ranges::is_sorted(drift.words, {}, &DriftedWord::p));
}

TEST(FindDrift, RefusesWhatCannotBeCompared) {
  const WordVectors vectors(Vocabulary(names(kWords)), random_table(kWords, 1));
  EXPECT_THROW(find_drift(vectors, WordVectors(Vocabulary(names(kWords)), Matrix(kWords, 3))), UsageError);
  EXPECT_THROW(find_drift(vectors, WordVectors(Vocabulary(names(39)), random_table(39, 2))), UsageError);
}

TEST(FindDrift, TheSameForAnyNumberOfThreads) {
  const Planted tables = planted(10, 0.3);
  std::string texts[2];
  for (const int threads : {1, 3}) {
    Context context({.threads = threads});
    const Context::Scope scope(context);
    texts[threads / 3] = to_json(find_drift(tables.older, tables.newer));
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(Json::parse(texts[0])["words"].size(), 20U);
}

/// By hand: of four, sorted 0.01, 0.02, 0.04, 0.5 times 4/1, 4/2, 4/3, 1, and none larger than those behind it.
TEST(FalseDiscoveryRates, KnownValues) {
  EXPECT_THAT(false_discovery_rates({0.02, 0.5, 0.01, 0.04}),
              ElementsAre(0.04, 0.5, 0.04, ::testing::DoubleEq(0.04 * 4 / 3)));
  EXPECT_THAT(false_discovery_rates({}), ::testing::IsEmpty());
  EXPECT_THAT(false_discovery_rates({1, 1}), Each(1));
}

}  // namespace
}  // namespace wordbridge::drift_test
