#include "search/int8/int8_table.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/effort_test_support.h"
#include "base/random.h"
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::int8_table_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// What the filter says of all pairs of queries and rows.
struct Filtered {
  std::vector<std::vector<RowCandidate>> candidates;  // by the positions of queries
  Int8Queries queries;
};

/// Without checks unless `terminated` is there to count what they end.
Filtered filter_all(const Int8Table& table, const Matrix& queries, float weight_of_slack = 1,
                    float threshold = -kInfinity, std::uint64_t* terminated = nullptr) {
  Filtered result{{}, table.encode(queries)};
  std::vector<float> thresholds(result.queries.padded_count(), kInfinity);
  for (std::size_t i = 0; i < queries.rows(); ++i) thresholds[i] = result.queries.threshold_for_score(i, threshold);
  for (float& slack : result.queries.slack) slack *= weight_of_slack;
  result.candidates.resize(queries.rows());
  std::vector<RowCandidate*> data(result.queries.padded_count());
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    result.candidates[i].resize(table.panels() * kPanelRows);
    data[i] = result.candidates[i].data();
  }
  std::vector<std::uint32_t> counts(result.queries.padded_count());
  FilterJob job = table.job(result.queries, thresholds.data(), 0, table.panels());
  job.candidates = data.data();
  job.candidate_count = counts.data();
  if (terminated != nullptr) {
    job.first_check = 0;
    job.terminated = terminated;
  }
  table.kernels().filter->filter(job);
  for (std::size_t i = 0; i < queries.rows(); ++i) result.candidates[i].resize(counts[i]);
  for (std::size_t i = queries.rows(); i < counts.size(); ++i) EXPECT_EQ(counts[i], 0u);
  return result;
}

/// Counts the pairs whose bounds do not hold.
std::size_t violations(const Int8Table& table, const Matrix& queries, const Filtered& filtered) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    const double unit = filtered.queries.unit[i];
    const float* query = queries.row(filtered.queries.order[i]).data();
    for (const RowCandidate& candidate : filtered.candidates[i]) {
      const float* row = table.table().row(table.id_of(candidate.row)).data();
      const float score = exact_score(query, row, queries.cols());
      const double from_above = double{candidate.upper_bound} * unit + 0x1.0p-149;
      const double slack = 2.0 * double{filtered.queries.slack[i]} * double{table.slack_of(candidate.row)};
      const double from_below = (double{candidate.upper_bound} - slack) * unit - 0x1.0p-149;
      const double largest = std::numeric_limits<float>::max();
      // An infinite score stands for any beyond the largest float.
      const bool holds =
          (std::isinf(score) ? from_above >= (score > 0 ? largest : -kInfinity) : from_above >= score) &&
          (std::isinf(score) ? from_below <= (score > 0 ? kInfinity : -largest) : from_below <= score) &&
          candidate.upper_bound >= filtered.queries.threshold_for_score(i, score) &&
          filtered.queries.threshold_for_bound(i, double{candidate.upper_bound} - slack) <= candidate.upper_bound;
      count += !holds;
    }
  }
  return count;
}

class Int8TableTest : public testing::TestWithParam<const Kernels*> {};

TEST_P(Int8TableTest, BoundsHoldForEveryPair) {
  Random random(1);
  for (const std::size_t d : {1, 2, 3, 5, 17, 63, 64, 65, 100, 300, 301, 608})
    for (const Spread spread : all_spreads())
      for (const Spread other : {spread, all_spreads()[random.index(all_spreads().size())]}) {
        const Matrix table = random_rows(spread, d > 100 ? 40 : 150, d, random.bits());
        const Matrix queries = random_rows(other, 7, d, random.bits());
        const Int8Table encoded(table, *GetParam());
        const Filtered filtered = filter_all(encoded, queries);
        for (std::size_t i = 0; i < queries.rows(); ++i)  // zero queries candidate nothing
          ASSERT_EQ(filtered.candidates[i].size(), std::isnan(filtered.queries.slack[i]) ? 0 : encoded.rows());
        EXPECT_EQ(violations(encoded, queries, filtered), 0u) << name_of(spread) << " " << name_of(other) << " " << d;
      }
}

TEST_P(Int8TableTest, BoundsHoldInManyDimensions) {
  for (const std::size_t d : {1000, 4096})
    for (const Spread spread : {Spread::kGaussian, Spread::kDecaying, Spread::kAxes, Spread::kMixedNorms}) {
      const Matrix table = random_rows(spread, 30, d, 7), queries = random_rows(spread, 5, d, 8);
      const Int8Table encoded(table, *GetParam());
      EXPECT_EQ(violations(encoded, queries, filter_all(encoded, queries)), 0u) << name_of(spread) << " " << d;
    }
}

TEST_P(Int8TableTest, BrokenBoundIsNoticed) {
  const Matrix table = random_rows(Spread::kGaussian, 500, 100, 2),
               queries = random_rows(Spread::kGaussian, 50, 100, 3);
  const Int8Table encoded(table, *GetParam());
  EXPECT_EQ(violations(encoded, queries, filter_all(encoded, queries)), 0u);
  EXPECT_GT(violations(encoded, queries, filter_all(encoded, queries, 0.01f)), 100u);
}

/// Values at the limits that the kernels set themselves: the largest codes of one sign on both sides.
TEST_P(Int8TableTest, LargestSums) {
  for (const std::size_t d : {4, 64, 300, 4096}) {
    Matrix table(64, d), queries(6, d);
    for (std::size_t i = 0; i < table.rows(); ++i)
      for (std::size_t j = 0; j < d; ++j) table(i, j) = (i + j) % 7 == 0 ? -1.0f : 1.0f;
    for (std::size_t i = 0; i < queries.rows(); ++i)
      for (std::size_t j = 0; j < d; ++j) queries(i, j) = i % 2 == 0 ? table(i, j) : -table(i, j);
    const Int8Table encoded(table, *GetParam());
    EXPECT_EQ(violations(encoded, queries, filter_all(encoded, queries)), 0u) << d;
  }
}

TEST_P(Int8TableTest, ScreenIsSharp) {
  const std::size_t n = 1000, d = 300;
  const Matrix table = random_rows(Spread::kDecaying, n, d, 4), queries = random_rows(Spread::kDecaying, 10, d, 5);
  const Int8Table encoded(table, *GetParam());
  const Filtered filtered = filter_all(encoded, queries);
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    if (std::isnan(filtered.queries.slack[i])) continue;
    std::vector<float> scores;
    for (const RowCandidate& candidate : filtered.candidates[i])
      scores.push_back(exact_score(queries.row(filtered.queries.order[i]).data(),
                                   table.row(encoded.id_of(candidate.row)).data(), d));
    std::nth_element(scores.begin(), scores.begin() + 9, scores.end(), std::greater<>());
    const float threshold = filtered.queries.threshold_for_score(i, scores[9]);
    const auto passed =
        std::count_if(filtered.candidates[i].begin(), filtered.candidates[i].end(),
                      [&](const RowCandidate& candidate) { return candidate.upper_bound >= threshold; });
    EXPECT_GE(passed, 10);
    EXPECT_LE(passed, 60) << i;
  }
}

/// Candidates of another order of tiles are the same candidates.
std::vector<std::pair<std::uint32_t, float>> sorted(const std::vector<RowCandidate>& candidates) {
  std::vector<std::pair<std::uint32_t, float>> result;
  for (const RowCandidate& candidate : candidates) result.emplace_back(candidate.row, candidate.upper_bound);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<float> sorted_scores(const Matrix& queries, const Matrix& table) {
  std::vector<float> scores;
  for (std::size_t i = 0; i < queries.rows(); ++i)
    for (std::size_t j = 0; j < table.rows(); ++j)
      scores.push_back(exact_score(queries.row(i).data(), table.row(j).data(), table.cols()));
  std::sort(scores.begin(), scores.end());
  return scores;
}

TEST_P(Int8TableTest, ChecksEndNoHit) {
  Random random(9);
  const std::vector<Spread> spreads = all_spreads();
  for (const std::size_t d : {8, 17, 65, 100, 300, 301, 512})
    for (std::size_t s = 0; s < spreads.size(); s += effort(1, 3)) {
      const Spread spread = spreads[s];
      const Matrix table = random_rows(spread, 200, d, random.bits()),
                   queries = random_rows(spread, 31, d, random.bits());
      const Int8Table encoded(table, *GetParam());
      const std::vector<float> scores = sorted_scores(queries, table);
      for (const double share : {0.0, 0.5, 0.9, 0.99, 1.0}) {
        const float threshold = scores[static_cast<std::size_t>(share * static_cast<double>(scores.size() - 1))];
        std::vector<std::uint64_t> terminated(encoded.checks());
        const Filtered checked = filter_all(encoded, queries, 1, threshold, terminated.data());
        const Filtered plain = filter_all(encoded, queries, 1, threshold);
        for (std::size_t i = 0; i < queries.rows(); ++i)
          ASSERT_EQ(sorted(checked.candidates[i]), sorted(plain.candidates[i]))
              << name_of(spread) << " " << d << " " << share;
      }
    }
}

/// A staged table of a decaying spectrum ends most tiles early; one without checks, none.
TEST_P(Int8TableTest, ChecksEndMuch) {
  const Matrix table = random_rows(Spread::kDecaying, 1000, 300, 10),
               queries = random_rows(Spread::kDecaying, 60, 300, 11);
  const Int8Table encoded(table, *GetParam());
  std::vector<std::uint64_t> terminated(encoded.checks());
  filter_all(encoded, queries, 1, sorted_scores(queries, table).end()[-60], terminated.data());
  if (GetParam()->filter->least_staged_rows > 0) {
    EXPECT_EQ(encoded.checks(), 0u);
  } else {
    EXPECT_EQ(encoded.checks(), 2u);
    EXPECT_GT(std::accumulate(terminated.begin(), terminated.end(), std::uint64_t{0}), 30'000u);
  }
}

/// Queries that are spread evenly over all axes, as words of another language are before they are mapped, are encoded
/// as finely for a staged table of a decaying spectrum as for a plain one.
TEST_P(Int8TableTest, QueriesUnlikeTheTable) {
  const Matrix table = random_rows(Spread::kDecaying, 1000, 300, 12),
               queries = random_rows(Spread::kGaussian, 60, 300, 13);
  const Int8Queries encoded = Int8Table(table, *GetParam()).encode(queries),
                    plain = Int8Table(table, *GetParam(), TableLayout::plain).encode(queries);
  double slack = 0, plain_slack = 0;
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    slack += double{encoded.slack[i]} * encoded.unit[i];
    plain_slack += double{plain.slack[i]} * plain.unit[i];
  }
  EXPECT_LT(slack, 1.5 * plain_slack);
}

TEST_P(Int8TableTest, ZeroRowsAreLeftOut) {
  Matrix table = random_rows(Spread::kGaussian, 100, 10, 6);
  for (const std::size_t i : {0, 63, 99})
    for (float& value : table.row(i)) value = 0;
  const Int8Table encoded(table, *GetParam());
  ASSERT_EQ(encoded.rows(), 97u);
  std::vector<std::uint32_t> ids;
  for (std::uint32_t row = 0; row < encoded.rows(); ++row) ids.push_back(encoded.id_of(row));
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, rows_not_zero(table));
  EXPECT_EQ(Int8Table(Matrix(5, 3), *GetParam()).rows(), 0u);
  EXPECT_EQ(Int8Table(Matrix(0, 3), *GetParam()).panels(), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, Int8TableTest, testing::ValuesIn(tested_kernels()),
                         [](const auto& tested) { return std::string(tested.param->name); });

}  // namespace
}  // namespace wordbridge::int8_table_test
