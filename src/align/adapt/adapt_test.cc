#include "wordbridge/adapt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "align/adapt/adapter_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::adapt_test {
namespace {

using testing::HasSubstr;

std::string error_of(const auto& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<Lexicon::Pair> by_row(std::size_t count) {
  std::vector<Lexicon::Pair> pairs;
  for (std::uint32_t i = 0; i < count; ++i) pairs.push_back({i, i});
  return pairs;
}

const AdaptReport::Row& row_of(const AdaptReport& report, const std::string& map) {
  for (const auto& row : report.rows)
    if (row.map == map) return row;
  throw std::runtime_error("no row " + map);
}

TEST(AdaptTest, ARotationIsRecoveredByTheSimplestMap) {
  const Matrix x = random_matrix(300, 8, 1), y = multiply_abt(x, random_orthogonal(8, 8, 2));
  const Adaptation result = adapt(x, y, by_row(300), {.passes = 3});
  EXPECT_EQ(result.report.rows[result.report.chosen].map, "procrustes");
  EXPECT_EQ(result.report.rows[result.report.chosen].own, 100);
  EXPECT_EQ(result.report.ranked_among, 300u);
  EXPECT_EQ(result.report.pairs, 300u);
  EXPECT_LT(largest_difference(result.mapping.mapped(x, Side::source, false), y), 1e-3);
  EXPECT_EQ(result.mapping.provenance.method, "adapt");
  EXPECT_EQ(result.mapping.provenance.criterion, "nn");
  EXPECT_EQ(result.mapping.normalizer(Side::source).name(), "none");
}

TEST(AdaptTest, ThePlainMapsLoseWhereTheyRankWorse) {
  const LoudSpaces spaces(1200, 1);
  const Adaptation result =
      adapt(spaces.source, spaces.target, spaces.pairs, {.criterion = AdaptCriterion::own, .negatives = 0});
  const AdaptReport& report = result.report;
  EXPECT_EQ(report.rows[report.chosen].map, "contrastive");
  EXPECT_EQ(report.rows.size(), adapter_kinds().size() - 1) << "no kind that moves the index";
  EXPECT_EQ(report.compared_on, 171u);
  EXPECT_EQ(report.tuned_on, 171u);
  EXPECT_LT(row_of(report, "ridge").worse_p_value, 0.05);
  EXPECT_EQ(row_of(report, "contrastive").score, row_of(report, "contrastive").own);
  EXPECT_LT(row_of(report, "contrastive").own_low, row_of(report, "contrastive").own);
  EXPECT_GT(row_of(report, "contrastive").own_high, row_of(report, "contrastive").own);
}

TEST(AdaptTest, TheSameMapForAnyNumberOfThreads) {
  const LoudSpaces spaces(200, 1);
  const auto learn = [&](int threads) {
    const WithThreads with(threads);
    return adapt(spaces.source, spaces.target, spaces.pairs, {.map = "contrastive", .passes = 3}).mapping;
  };
  const Mapping one = learn(1), three = learn(3);
  EXPECT_EQ(one.source_map(), three.source_map());
  EXPECT_EQ(one.source_intercept(), three.source_intercept());
}

TEST(AdaptTest, BothSidesMeetInASpaceOfTheirOwn) {
  // The source knows five of the target's axes, and noise; the others only disturb.
  const LoudSpaces spaces(600, 1), fresh(600, 2);
  const AdaptOptions options{.map = "both-sides", .criterion = AdaptCriterion::own, .negatives = 0};
  const Adaptation result = adapt(spaces.source, spaces.target, spaces.pairs, options);
  const Mapping& mapping = result.mapping;
  EXPECT_EQ(result.report.rows.front().map, "both-sides");
  EXPECT_EQ(mapping.provenance.criterion, "csls");
  EXPECT_EQ(mapping.normalizer(Side::target).name(), "unit,center");
  ASSERT_TRUE(mapping.target_map());
  const auto own_first = [&](const Mapping& by) {
    const Matrix queries = by.mapped(fresh.source, Side::source, true),
                 items = by.mapped(fresh.target, Side::target, true);
    const Neighbors found = BruteForceSearch(items).search(queries, 1);
    double own = 0;
    for (std::uint32_t i = 0; i < 600; ++i) own += found.ids_of(i)[0] == i;
    return own / 6;
  };
  const double one_side = own_first(adapt(spaces.source, spaces.target, spaces.pairs, {.map = "ridge"}).mapping);
  EXPECT_GT(own_first(mapping), one_side + 10) << "on items that it has not seen";
  EXPECT_NEAR(own_first(mapping), result.report.rows.front().own, 25) << "what was measured is what the mapping does";
}

TEST(AdaptTest, TheCurveGrowsToAllPairs) {
  const LoudSpaces spaces(600, 1);
  const AdaptReport report =
      adapt(spaces.source, spaces.target, spaces.pairs, {.map = "ridge", .learning_curve = true}).report;
  ASSERT_EQ(report.curve.size(), 5u);
  EXPECT_EQ(report.curve.back().pairs, 600u - report.tuned_on - report.compared_on);
  EXPECT_EQ(report.curve.back().own, report.rows.front().own);
  EXPECT_EQ(report.curve.front().pairs, report.curve.back().pairs / 16);
  EXPECT_LT(report.curve.front().own, report.curve.back().own);
  EXPECT_TRUE(adapt(spaces.source, spaces.target, spaces.pairs, {.map = "ridge"}).report.curve.empty());
}

TEST(AdaptTest, EqualVectorsCannotBeToldApart) {
  // Each item twice: either may come first.
  const Matrix half = random_matrix(100, 6, 1);
  Matrix x(200, 6);
  for (std::size_t i = 0; i < 200; ++i) std::ranges::copy(half.row(i / 2), x.row(i).begin());
  const AdaptReport report = adapt(x, x, by_row(200), {.map = "ridge"}).report;
  EXPECT_EQ(report.rows.front().own, 100);
}

TEST(AdaptTest, SaysWhatIsWrong) {
  const Matrix x = random_matrix(30, 4, 1);
  EXPECT_THAT(error_of([&] { adapt(x, x, by_row(19)); }), HasSubstr("19 pairs"));
  EXPECT_THAT(error_of([&] { adapt(x, x, std::vector<Lexicon::Pair>{{0, 30}}); }), HasSubstr("a row that its table"));
  EXPECT_THAT(error_of([&] { adapt(x, x, by_row(30), {.map = "magic"}); }), HasSubstr("'magic'"));
  EXPECT_THAT(error_of([&] { adapt(x, x, by_row(30), {.passes = 0}); }), HasSubstr("passes"));
  EXPECT_THAT(error_of([&] { adapt(x, x, by_row(30), {.temperature = 0}); }), HasSubstr("temperature"));
  EXPECT_THAT(error_of([&] { adapt(x, x, by_row(30), {.dropout = 1}); }), HasSubstr("dropout"));
  EXPECT_THAT(error_of([&] { adapt(x, x, by_row(30), {.decay = -1}); }), HasSubstr("decay"));
}

}  // namespace
}  // namespace wordbridge::adapt_test
