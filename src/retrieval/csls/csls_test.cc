#include "retrieval/csls/csls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "retrieval/dense_criteria_test_support.h"
#include "retrieval/nearest.h"
#include "space/common_space_state.h"
#include "space/space_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

// What holds for every criterion, the dense twin included, is in criterion_contract_test.cc.
namespace wordbridge::csls_test {

namespace {

using ::testing::ElementsAre;

using Statistics = CslsOptions::Statistics;

Matrix rows(std::size_t cols, std::vector<float> values) {
  return Matrix::copy_of({values.data(), values.size() / cols, cols});
}

// Two queries with a hub between them:
//   cos       hub   up  down    r_t (k = 2)      r_s (k = 2): hub 0.8, up (0.6 - 0.6) / 2 = 0, down 0
//   q1        0.8  0.6  -0.6    0.7
//   q2        0.8 -0.6   0.6    0.7
// CSLS of q1: hub 1.6 - 0.7 - 0.8 = 0.1, up 1.2 - 0.7 - 0 = 0.5, down -1.2 - 0.7 - 0 = -1.9.
const Matrix kSources = rows(2, {0.8f, 0.6f, 0.8f, -0.6f});
const Matrix kTargets = rows(2, {1, 0, 0, 1, 0, -1});

TEST(Csls, LeavesTheHubThatNearestPicks) {
  const Candidates nearest = Nearest(space_of(kSources, kTargets)).best(kSources, 3);
  EXPECT_THAT(nearest.targets, ElementsAre(0, 1, 2, 0, 2, 1));
  for (const Statistics statistics : {Statistics::full, Statistics::lazy, Statistics::automatic}) {
    Csls csls(space_of(kSources, kTargets), {.neighbors = 2, .statistics = statistics});
    const Candidates best = csls.best(kSources, 3);
    EXPECT_THAT(best.targets, ElementsAre(1, 0, 2, 2, 0, 1));
    const double expected[] = {0.5, 0.1, -1.9, 0.5, 0.1, -1.9};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(best.scores[i], expected[i], 1e-6);
  }
}

TEST(Csls, OneNeighbor) {
  // r_t = 0.8, r_s: hub 0.8, up 0.6, down 0.6. CSLS of q1: hub 0, up -0.2, down -2.6.
  Csls csls(space_of(kSources, kTargets), {.neighbors = 1});
  const Candidates best = csls.best(kSources.view().slice(0, 1), 3);
  EXPECT_THAT(best.targets, ElementsAre(0, 1, 2));
  EXPECT_NEAR(best.scores[0], 0, 1e-6);
  EXPECT_NEAR(best.scores[1], -0.2, 1e-6);
  EXPECT_NEAR(best.scores[2], -2.6, 1e-6);
}

TEST(Csls, FewerWordsThanNeighbors) {
  // With k = 10 the means are over the two source words and the three targets: r_t(q1) = 0.8 / 3.
  Csls csls(space_of(kSources, kTargets), {.neighbors = 10});
  const Candidates best = csls.best(kSources.view().slice(0, 1), 1);
  EXPECT_THAT(best.targets, ElementsAre(1));
  EXPECT_NEAR(best.scores[0], 1.2 - 0.8 / 3, 1e-6);
}

TEST(Csls, QueryOutsideTheTable) {
  // r_s is over the source table alone, to which the query does not belong: (1, 0) has r_t = (1 + 0) / 2 and
  // CSLS hub 2 - 0.5 - 0.8 = 0.7.
  Csls csls(space_of(kSources, kTargets), {.neighbors = 2, .statistics = Statistics::lazy});
  const Matrix query = rows(2, {1, 0});
  const Candidates best = csls.best(query, 1);
  EXPECT_THAT(best.targets, ElementsAre(0));
  EXPECT_NEAR(best.scores[0], 0.7, 1e-6);
}

/// Many clusters: what is near to a query is a small part of the table.
Matrix clustered(std::size_t count, std::uint64_t seed) {
  const std::size_t d = 24;
  const Matrix centers = random_unit_rows(60, d, 7);
  Matrix table = random_matrix(count, d, seed);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < d; ++j) table(i, j) = centers(i % 60, j) + 0.08f * table(i, j);
  normalize_rows(table);
  return table;
}

/// All sources as queries are searched for together with all targets, in one pass; a copy of them is not.
TEST(Csls, BothSidesInOnePassGiveTheSameBits) {
  Matrix sources = random_matrix(400, 20, 5), targets = random_matrix(300, 20, 6);
  normalize_rows(sources);
  normalize_rows(targets);
  for (float& value : targets.row(7)) value = 0;
  const Matrix copy = sources;
  const Csls together(space_of(sources, targets), {.statistics = Statistics::full}),
      apart(space_of(sources, targets), {.statistics = Statistics::full});
  const Candidates expected = apart.best(copy, 5), best = together.best(sources, 5);
  EXPECT_EQ(best.targets, expected.targets);
  EXPECT_EQ(best.scores, expected.scores);
  EXPECT_EQ(together.known_statistics(), 300u);
}

TEST(Csls, WordsOfTheSpaceAreRankedByListsWithTheSameBits) {
  const Matrix sources = random_unit_rows(400, 12, 3), targets = random_unit_rows(300, 12, 4);
  const CommonSpace plain = space_of(sources, targets), listed = space_of(sources, targets);
  listed.state().csls(10).learn_both();
  for (const Side asking : {Side::source, Side::target}) {
    const ConstMatrixView table = plain.table(asking);
    std::vector<WordId> ids;
    for (std::size_t i = 0; i < 150; ++i) ids.push_back(static_cast<WordId>((7 * i + 3) % table.rows()));
    const auto compare = [&](const std::vector<WordId>& chosen, const Matrix& queries) {
      std::vector<AskingWord> words;
      for (const WordId id : chosen) words.push_back({.id = id});
      const Csls one(plain, {.statistics = CslsOptions::Statistics::full}, asking), other(listed, {}, asking);
      EXPECT_EQ(difference(one.best(queries, 5), other.best_for(words, queries, 5)), "");
    };
    compare(ids, gather_rows(table, ids));
    ids[20] = ids[100];  // twice
    compare(ids, gather_rows(table, ids));
    std::vector<WordId> shifted = ids;
    std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());  // vectors of other words
    compare(ids, gather_rows(table, shifted));
  }
}

TEST(Csls, LazyWorkLearnsFewStatistics) {
  const Matrix sources = clustered(3000, 1), targets = clustered(3000, 2);
  const ConstMatrixView queries = sources.view().slice(0, 20);
  const Csls lazy(space_of(sources, targets), {.statistics = Statistics::lazy});
  EXPECT_EQ(lazy.known_statistics(), 0u);
  const Candidates found = lazy.best(queries, 5);
  EXPECT_GE(lazy.known_statistics(), 60u);  // the queries share no answers
  EXPECT_LE(lazy.known_statistics(), 300u);
  EXPECT_EQ(difference(dense_csls(queries, sources, targets, 10, 5), found), "");
  // What is known stays known.
  const std::size_t known = lazy.known_statistics();
  EXPECT_EQ(difference(found, lazy.best(queries, 5)), "");
  EXPECT_EQ(lazy.known_statistics(), known);
}

/// Two criteria over one space share what they know, and so do the two directions.
TEST(Csls, WhatIsKnownOfASpaceServesAll) {
  const Matrix sources = clustered(600, 1), targets = clustered(500, 2);
  const CommonSpace space = space_of(sources, targets);
  const Csls forward(space), backward(space, {}, Side::target), other(space, {.neighbors = 5});
  forward.best(sources, 3);
  EXPECT_EQ(backward.known_statistics(), 600u);
  EXPECT_EQ(Csls(space).known_statistics(), 500u);
  EXPECT_EQ(other.known_statistics(), 0u);
  EXPECT_EQ(difference(dense_csls(targets, targets, sources, 10, 4), backward.best(targets, 4)), "");
}

TEST(Csls, ChoosesTheLesserWork) {
  const Matrix sources = clustered(3000, 1), targets = clustered(3000, 2);
  const Csls few(space_of(sources, targets)), many(space_of(sources, targets));
  few.best(sources.view().slice(0, 20), 5);
  EXPECT_LT(few.known_statistics(), 1000u);
  many.best(sources, 5);
  EXPECT_EQ(many.known_statistics(), 3000u);
}

TEST(Csls, TellsOfItsProgress) {
  class Watch : public Progress {
   public:
    void update(std::string_view, std::uint64_t done, std::uint64_t total, std::string_view) override {
      EXPECT_LE(done, total);
      ++updates;
    }
    void finish(std::string_view) override { ++finishes; }
    int updates = 0, finishes = 0;
  } watch;
  const Matrix table = clustered(500, 1);
  Context context({.progress = &watch});
  const Context::Scope scope(context);
  Csls(space_of(table, table)).best(table, 2);
  EXPECT_GT(watch.updates, 0);
  EXPECT_GT(watch.finishes, 0);
}

TEST(Csls, WrongUse) { EXPECT_THROW(Csls(space_of(kSources, kTargets), {.neighbors = 0}), UsageError); }

}  // namespace

}  // namespace wordbridge::csls_test
