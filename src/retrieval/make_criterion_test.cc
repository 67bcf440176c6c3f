#include "retrieval/make_criterion.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "linalg/random_matrix_test_support.h"
#include "retrieval/dense_criteria_test_support.h"
#include "space/space_test_support.h"

namespace wordbridge::make_criterion_test {
namespace {

TEST(MakeCriterion, EveryName) {
  const Matrix table = random_unit_rows(10, 4, 1);
  for (const std::string_view name : criterion_names())
    EXPECT_EQ(make_criterion(name, space_of(table, table))->name(), name);
}

TEST(MakeCriterion, PassesTheOptionsOn) {
  const Matrix sources = random_unit_rows(30, 4, 1), targets = random_unit_rows(30, 4, 2);
  const auto csls = make_criterion("csls", space_of(sources, targets), {.neighbors = 3});
  EXPECT_EQ(difference(dense_csls(sources, sources, targets, 3, 5), csls->best(sources, 5)), "");
}

TEST(MakeCriterion, WrongUse) {
  const Matrix table = random_unit_rows(10, 4, 1);
  EXPECT_THROW(make_criterion("best", space_of(table, table)), UsageError);
}

}  // namespace
}  // namespace wordbridge::make_criterion_test
