#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "base/effort_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "parallel/threads_test_support.h"
#include "retrieval/csls/csls.h"
#include "retrieval/dense_criteria_test_support.h"
#include "retrieval/globally_corrected.h"
#include "retrieval/inverted_softmax.h"
#include "retrieval/nearest.h"
#include "search/search_cases_test_support.h"
#include "space/space_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

// What every criterion keeps, whatever its definition. A new one is a line in kSubjects, with its dense twin.

namespace wordbridge::criterion_contract_test {
namespace {

struct Subject {
  std::string label;
  std::string name;
  std::function<std::unique_ptr<Criterion>(const CommonSpace& space, Side asking)> make_for;
  std::function<Candidates(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets,
                           std::size_t count)>
      dense;

  std::unique_ptr<Criterion> make(ConstMatrixView sources, ConstMatrixView targets) const {
    return make_for(space_of(sources, targets), Side::source);
  }
};

std::ostream& operator<<(std::ostream& out, const Subject& subject) { return out << subject.label; }

Subject nearest() {
  return {"Nearest", "nn",
          [](const CommonSpace& space, Side asking) { return std::make_unique<Nearest>(space, asking); },
          [](ConstMatrixView queries, ConstMatrixView, ConstMatrixView targets, std::size_t count) {
            return dense_nearest(queries, targets, count);
          }};
}

Subject csls(std::string label, CslsOptions::Statistics statistics, std::size_t neighbors) {
  return {std::move(label), "csls",
          [=](const CommonSpace& space, Side asking) {
            return std::make_unique<Csls>(space, CslsOptions{.neighbors = neighbors, .statistics = statistics}, asking);
          },
          [=](ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t count) {
            return dense_csls(queries, sources, targets, neighbors, count);
          }};
}

/// Over the normalizers that it uses itself; inverted_softmax_test.cc compares these with their definition.
Subject inverted_softmax(std::string label, double beta) {
  return {std::move(label), "isf",
          [=](const CommonSpace& space, Side asking) {
            return std::make_unique<InvertedSoftmax>(space, InvertedSoftmaxOptions{.beta = beta}, asking);
          },
          [=](ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t count) {
            return dense_inverted_softmax(queries, targets, beta,
                                          softmax_sums(UnitRows::view(sources), targets, beta).logs, count);
          }};
}

Subject globally_corrected(std::string label, std::size_t pool) {
  return {std::move(label), "gc",
          [=](const CommonSpace& space, Side asking) {
            return std::make_unique<GloballyCorrected>(space, GloballyCorrectedOptions{.pool = pool}, asking);
          },
          [=](ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t count) {
            return dense_globally_corrected(queries, sources, targets, count);
          }};
}

const std::vector<Subject> kSubjects = {
    nearest(),
    csls("CslsFull", CslsOptions::Statistics::full, 10),
    csls("CslsLazy", CslsOptions::Statistics::lazy, 10),
    csls("CslsAutomatic", CslsOptions::Statistics::automatic, 10),
    csls("CslsFullOneNeighbor", CslsOptions::Statistics::full, 1),
    csls("CslsLazyOneNeighbor", CslsOptions::Statistics::lazy, 1),
    csls("CslsLazyManyNeighbors", CslsOptions::Statistics::lazy, 150),
    inverted_softmax("InvertedSoftmax", 30),
    inverted_softmax("InvertedSoftmaxCold", 0.5),
    globally_corrected("GloballyCorrected", 4096),
    globally_corrected("GloballyCorrectedByTheNearest", 1),
    globally_corrected("GloballyCorrectedSmallPool", 45),
};

class CriterionContract : public ::testing::TestWithParam<Subject> {
 protected:
  /// Compares with the dense twin.
  void check(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t count) const {
    const auto criterion = GetParam().make(sources, targets);
    EXPECT_EQ(difference(GetParam().dense(queries, sources, targets, count), criterion->best(queries, count)), "");
  }
};

Matrix unit_rows(Spread spread, std::size_t rows, std::size_t dimension, std::uint64_t seed) {
  Matrix table = random_rows(spread, rows, dimension, seed);
  normalize_rows(table);
  return table;
}

INSTANTIATE_TEST_SUITE_P(All, CriterionContract, ::testing::ValuesIn(kSubjects),
                         [](const auto& instance) { return instance.param.label; });

TEST_P(CriterionContract, HasItsName) {
  const Matrix table = random_unit_rows(3, 4, 1);
  EXPECT_EQ(GetParam().make(table, table)->name(), GetParam().name);
}

TEST_P(CriterionContract, EqualsItsDenseTwin) {
  std::uint64_t seed = 0;
  for (const Spread spread : all_spreads()) {
    for (const std::size_t dimension : {1, 2, 7, 40}) {
      if (++seed % effort(1, 3) != 0) continue;
      const Matrix sources = unit_rows(spread, 130, dimension, seed), targets = unit_rows(spread, 90, dimension, ~seed);
      SCOPED_TRACE(name_of(spread) + ", dimension " + std::to_string(dimension));
      check(sources.view().slice(0, 30), sources, targets, 10);
    }
  }
}

TEST_P(CriterionContract, ManyRows) {
  const Matrix sources = unit_rows(Spread::kDecaying, effort(1100, 400), 30, 5),
               targets = unit_rows(Spread::kDecaying, effort(1300, 700), 30, 6);
  check(sources.view().slice(0, 100), sources, targets, 3);
}

TEST_P(CriterionContract, QueriesNeedNotBeInTheTable) {
  const Matrix sources = unit_rows(Spread::kClustered, 200, 10, 1), targets = unit_rows(Spread::kClustered, 150, 10, 2);
  check(random_unit_rows(40, 10, 3), sources, targets, 5);
}

TEST_P(CriterionContract, FewWords) {
  for (const std::size_t rows : {0, 1, 2, 9, 10, 11}) {
    for (const std::size_t other : {0, 1, 11}) {
      for (const std::size_t count : {0, 1, 10, 100}) {
        const Matrix sources = random_unit_rows(rows, 5, 1), targets = random_unit_rows(other, 5, 2);
        check(random_unit_rows(4, 5, 3), sources, targets, count);
      }
    }
  }
}

TEST_P(CriterionContract, NoQueries) {
  const Matrix table = random_unit_rows(20, 5, 1);
  const Candidates candidates = GetParam().make(table, table)->best(table.view().slice(0, 0), 5);
  EXPECT_EQ(candidates.queries, 0u);
  EXPECT_TRUE(candidates.targets.empty());
}

TEST_P(CriterionContract, ZeroRowsTakePartInNothing) {
  Matrix sources = random_unit_rows(40, 6, 1), targets = random_unit_rows(30, 6, 2);
  const Matrix queries = Matrix::copy_of(sources.view().slice(0, 20));
  for (const std::size_t row : {0, 7, 29}) std::fill_n(targets.row(row).data(), 6, 0.0f);
  for (const std::size_t row : {0, 3, 39}) std::fill_n(sources.row(row).data(), 6, 0.0f);
  check(queries, sources, targets, 100);
  const Candidates all = GetParam().make(sources, targets)->best(queries, 100);
  EXPECT_EQ(all.found, 27u);
  for (const WordId id : all.targets) EXPECT_TRUE(id != 0 && id != 7 && id != 29);
  const Matrix nothing(10, 6);
  check(queries, nothing, targets, 5);
  check(queries, sources, nothing, 5);
}

TEST_P(CriterionContract, TiesByLowerId) {
  const Matrix few = random_unit_rows(7, 4, 1);
  std::vector<WordId> ids;
  for (std::size_t i = 0; i < 600; ++i) ids.push_back(static_cast<WordId>(i * i % 7));
  const Matrix targets = gather_rows(few, ids), sources = random_unit_rows(50, 4, 2);
  check(sources, sources, targets, 40);
  const Candidates best = GetParam().make(sources, targets)->best(sources, 40);
  for (std::size_t query = 0; query < best.queries; ++query)
    for (std::size_t i = 1; i < best.found; ++i)
      EXPECT_TRUE(best.scores_of(query)[i - 1] > best.scores_of(query)[i] ||
                  best.targets_of(query)[i - 1] < best.targets_of(query)[i]);
}

TEST_P(CriterionContract, AllRowsAlike) {
  const Matrix one = random_unit_rows(1, 9, 1);
  const Matrix table = gather_rows(one, std::vector<WordId>(700, 0));
  check(table.view().slice(0, 5), table, table, 12);
}

TEST_P(CriterionContract, CallsDoNotDependOnEachOther) {
  const std::size_t rows = effort(400, 150);
  const Matrix sources = unit_rows(Spread::kClustered, rows, 12, 1),
               targets = unit_rows(Spread::kClustered, effort(700, 550), 12, 2);
  const Candidates together = GetParam().make(sources, targets)->best(sources, 8);
  const auto criterion = GetParam().make(sources, targets);
  for (const std::size_t begin : std::vector<std::size_t>{0, 1, 5, 100, rows - 1, 0}) {
    const std::size_t end = std::min(begin + (begin == 5 ? 60 : 1), rows);
    const Candidates some = criterion->best(sources.view().slice(begin, end), 8);
    ASSERT_EQ(some.found, together.found);
    for (std::size_t i = begin; i < end; ++i) {
      EXPECT_TRUE(std::ranges::equal(some.targets_of(i - begin), together.targets_of(i)));
      EXPECT_TRUE(std::ranges::equal(some.scores_of(i - begin), together.scores_of(i)));
    }
  }
}

TEST_P(CriterionContract, ThreadsDoNotMatter) {
  const Matrix sources = unit_rows(Spread::kDecaying, effort(500, 300), 20, 1),
               targets = unit_rows(Spread::kDecaying, effort(900, 300), 20, 2);
  const ConstMatrixView queries = sources.view().slice(0, effort(200, 80));
  const WithThreads one_thread(1);
  const Candidates one = GetParam().make(sources, targets)->best(queries, 10);
  const WithThreads three_threads(3);
  const Candidates three = GetParam().make(sources, targets)->best(queries, 10);
  EXPECT_EQ(difference(one, three), "");
}

/// Whole sides as queries: what is known of them from one pass must not change an answer.
TEST_P(CriterionContract, AllWordsOfEitherSideAsk) {
  std::uint64_t seed = 50;
  for (const Spread spread : all_spreads()) {
    if (++seed % effort(2, 5) != 0) continue;
    Matrix sources = unit_rows(spread, 120, 11, seed), targets = unit_rows(spread, 150, 11, ~seed);
    std::ranges::fill(sources.row(5), 0.0f);
    std::ranges::fill(targets.row(9), 0.0f);
    SCOPED_TRACE(name_of(spread));
    const CommonSpace space = space_of(sources, targets);
    const auto forward = GetParam().make_for(space, Side::source), backward = GetParam().make_for(space, Side::target);
    for (const std::size_t count : {1, 12}) {
      EXPECT_EQ(difference(GetParam().dense(sources, sources, targets, count), forward->best(sources, count)), "");
      EXPECT_EQ(difference(GetParam().dense(targets, targets, sources, count), backward->best(targets, count)), "");
      const ConstMatrixView some = targets.view().slice(40, 90);
      EXPECT_EQ(difference(GetParam().dense(some, targets, sources, count), backward->best(some, count)), "");
    }
  }
}

TEST_P(CriterionContract, ManyThreadsAskAtOnce) {
  const Matrix sources = unit_rows(Spread::kClustered, 130, 12, 1), targets = unit_rows(Spread::kClustered, 150, 12, 2);
  const Candidates alone = GetParam().make(sources, targets)->best(sources, 6);
  const CommonSpace space = space_of(sources, targets);
  const auto criterion = GetParam().make_for(space, Side::source);
  std::vector<std::string> differences(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < differences.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 2 && differences[t].empty(); ++i) {
        const std::size_t begin = (t * 17 + i * 31) % 100, end = i == 1 ? sources.rows() : begin + 1 + t;
        const Candidates some = criterion->best(sources.view().slice(i == 1 ? 0 : begin, end), 6);
        for (std::size_t q = 0; q < some.queries; ++q)
          if (!std::ranges::equal(some.targets_of(q), alone.targets_of(q + (i == 1 ? 0 : begin))) ||
              !std::ranges::equal(some.scores_of(q), alone.scores_of(q + (i == 1 ? 0 : begin))))
            differences[t] = "query " + std::to_string(q + begin);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& difference : differences) EXPECT_EQ(difference, "");
}

TEST_P(CriterionContract, RefusesQueriesOfAnotherDimension) {
  const Matrix table = random_unit_rows(20, 5, 1);
  EXPECT_THROW(GetParam().make(table, table)->best(random_unit_rows(2, 6, 1), 3), UsageError);
}

}  // namespace
}  // namespace wordbridge::criterion_contract_test
