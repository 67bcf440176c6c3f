#include "wordbridge/retrieval/make_criterion.h"

#include <gtest/gtest.h>

#include "wordbridge/base/error.h"
#include "wordbridge/linalg/random_matrix_test_support.h"
#include "wordbridge/retrieval/dense_criteria_test_support.h"

namespace wordbridge::make_criterion_test {
namespace {

TEST(MakeCriterion, EveryName) {
  const Matrix table = random_unit_rows(10, 4, 1);
  for (const std::string_view name : criterion_names()) EXPECT_EQ(make_criterion(name, table, table)->name(), name);
}

TEST(MakeCriterion, PassesTheOptionsOn) {
  const Matrix sources = random_unit_rows(30, 4, 1), targets = random_unit_rows(30, 4, 2);
  const auto csls = make_criterion("csls", sources, targets, {.neighbors = 3});
  EXPECT_EQ(difference(dense_csls(sources, sources, targets, 3, 5), csls->best(sources, 5)), "");
}

TEST(MakeCriterion, WrongUse) {
  const Matrix table = random_unit_rows(10, 4, 1), other = random_unit_rows(10, 5, 1);
  EXPECT_THROW(make_criterion("best", table, table), UsageError);
  for (const std::string_view name : criterion_names()) EXPECT_THROW(make_criterion(name, table, other), UsageError);
}

}  // namespace
}  // namespace wordbridge::make_criterion_test
