#include "search/pruning/cluster_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/effort_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "search/rounding.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::cluster_bounds_test {

namespace {

void expect_rows(const Neighbors& near, const Matrix& queries, const Matrix& rows, std::size_t k) {
  ASSERT_EQ(near.queries, queries.rows());
  ASSERT_EQ(near.found, std::min(k, rows_not_zero(rows).size()));
  for (std::size_t i = 0; i < near.queries; ++i) {
    const auto ids = near.ids_of(i);
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), near.found) << "row " << i;
    for (const std::uint32_t id : ids) EXPECT_FALSE(is_zero(rows.row(id))) << "row " << i;
  }
}

TEST(ClusterNeighbors, AreDifferentRowsThatAreNotZero) {
  std::uint64_t seed = 1;
  const std::vector<Spread> spreads = all_spreads();
  for (std::size_t s = 0; s < spreads.size(); s += effort(1, 4)) {
    SCOPED_TRACE(name_of(spreads[s]));
    const Matrix source = random_rows(spreads[s], 700, 9, ++seed), target = random_rows(spreads[s], 2000, 9, ++seed);
    const TwoSidedNeighbors near = cluster_neighbors(source, target, 7);
    expect_rows(near.of_source, source, target, 7);
    expect_rows(near.of_target, target, source, 7);
  }
}

TEST(ClusterNeighbors, AnyWhereThereAreNoClusters) {
  const Matrix few = random_rows(Spread::kGaussian, 5, 9, 1), some = random_rows(Spread::kSparse, 500, 9, 2);
  const TwoSidedNeighbors near = cluster_neighbors(few, some, 7);
  expect_rows(near.of_source, few, some, 7);
  expect_rows(near.of_target, some, few, 7);
  EXPECT_EQ(cluster_neighbors(Matrix(0, 9), some, 3).of_target.found, 0u);
  EXPECT_EQ(cluster_neighbors(Matrix(4, 9), some, 3).of_target.found, 0u) << "zero rows are nobody's neighbors";
}

// Many of them are among the k that are nearest indeed.
TEST(ClusterNeighbors, AreNear) {
  const std::size_t k = 10;
  const Matrix rows = random_rows(Spread::kClustered, 4500, 20, 1);
  const Matrix source = Matrix::copy_of(rows.view().slice(0, 500)),
               target = Matrix::copy_of(rows.view().slice(500, 4500));
  const TwoSidedNeighbors near = cluster_neighbors(source, target, k);
  const Neighbors nearest = BruteForceSearch(target).search(source, k);
  std::size_t found = 0;
  for (std::size_t i = 0; i < source.rows(); ++i) {
    const auto ids = near.of_source.ids_of(i);
    for (const std::uint32_t id : nearest.ids_of(i)) found += std::ranges::find(ids, id) != ids.end();
  }
  EXPECT_GT(found, source.rows() * k / 4);
}

std::size_t count_finite(const std::vector<float>& lower_bounds) {
  return static_cast<std::size_t>(
      std::count_if(lower_bounds.begin(), lower_bounds.end(), [](float f) { return std::isfinite(f); }));
}

void expect_reached(const std::vector<float>& lower_bounds, const Neighbors& best, const std::string& what) {
  ASSERT_EQ(lower_bounds.size(), best.queries);
  for (std::size_t i = 0; i < lower_bounds.size(); ++i)
    EXPECT_LE(lower_bounds[i], best.scores_of(i).back()) << what << ", row " << i;
}

TEST(ClusterLowerBounds, AreReached) {
  std::uint64_t seed = 1;
  const std::vector<Spread> spreads = all_spreads();
  for (std::size_t s = 0; s < spreads.size(); s += effort(1, 4)) {
    const Matrix source = random_rows(spreads[s], 700, 9, ++seed), target = random_rows(spreads[s], 2000, 9, ++seed);
    const ClusterLowerBounds lower_bounds = cluster_lower_bounds(source, target, 3, 7);
    expect_reached(lower_bounds.of_source, BruteForceSearch(target).search(source, 3), name_of(spreads[s]) + " source");
    expect_reached(lower_bounds.of_target, BruteForceSearch(source).search(target, 7), name_of(spreads[s]) + " target");
  }
}

// Of rows of unit length, far fewer reach them than the k-th best of a sample as large.
TEST(ClusterLowerBounds, AreReachedByFewRows) {
  const std::size_t d = 20, k = 10;
  Matrix rows = random_rows(Spread::kDecaying, 4500, d, 1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double norm = std::max(1e-30, norm_above(rows.row(i).data(), d));
    for (float& value : rows.row(i)) value = static_cast<float>(double{value} / norm);
  }
  const ConstMatrixView source = rows.view().slice(0, 500), target = rows.view().slice(500, 4500);
  const ClusterLowerBounds lower_bounds = cluster_lower_bounds(source, target, k, k);
  const Neighbors sample = BruteForceSearch(target.slice(0, 384)).search(source, k);
  std::size_t reached = 0, reached_sample = 0;
  for (std::size_t i = 0; i < source.rows(); ++i)
    for (std::size_t j = 0; j < target.rows() && !is_zero(source.row(i)); ++j) {
      const float score = exact_score(source.row(i).data(), target.row(j).data(), d);
      reached += score >= lower_bounds.of_source[i];
      reached_sample += score >= sample.scores_of(i).back();
    }
  EXPECT_LT(3 * reached, reached_sample);
}

TEST(ClusterLowerBounds, NothingIsKnownOfFewRows) {
  const Matrix few = random_rows(Spread::kGaussian, 5, 9, 1), some = random_rows(Spread::kGaussian, 500, 9, 2),
               many = random_rows(Spread::kGaussian, 2000, 9, 3);
  EXPECT_EQ(count_finite(cluster_lower_bounds(many, some, 3, 3).of_source), 0u);
  // Five sources cannot be seven.
  const ClusterLowerBounds lower_bounds = cluster_lower_bounds(few, many, 3, 7);
  EXPECT_EQ(count_finite(lower_bounds.of_source), 5u);
  EXPECT_EQ(count_finite(lower_bounds.of_target), 0u);
  EXPECT_EQ(cluster_lower_bounds(Matrix(0, 9), many, 3, 3).of_source.size(), 0u);
}

}  // namespace

}  // namespace wordbridge::cluster_bounds_test
