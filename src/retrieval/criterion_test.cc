#include "wordbridge/criterion.h"

#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::criterion_test {
namespace {

TEST(Candidates, OfEachQuery) {
  const Candidates candidates{.queries = 2, .found = 2, .targets = {4, 1, 0, 7}, .scores = {3, 2, 9, 8}};
  EXPECT_EQ(candidates.targets_of(1)[1], 7u);
  EXPECT_EQ(candidates.scores_of(0)[1], 2);
}

TEST(Criterion, QueriesMustBeInTheSpace) {
  EXPECT_NO_THROW(require_dimension(Matrix(3, 4), Matrix(0, 4)));
  EXPECT_THROW(require_dimension(Matrix(3, 4), Matrix(3, 5)), UsageError);
}

}  // namespace
}  // namespace wordbridge::criterion_test
