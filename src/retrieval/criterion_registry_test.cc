#include "retrieval/criterion_registry.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "retrieval/dense_criteria_test_support.h"
#include "space/space_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::criterion_registry_test {
namespace {

TEST(CriterionRegistry, EveryName) {
  const Matrix table = random_unit_rows(10, 4, 1);
  for (const std::string& name : vector_criterion_names())
    EXPECT_EQ(make_criterion(name, space_of(table, table))->name(), name);
}

TEST(CriterionRegistry, PassesTheOptionsOn) {
  const Matrix sources = random_unit_rows(30, 4, 1), targets = random_unit_rows(30, 4, 2);
  const auto csls = make_criterion("csls", space_of(sources, targets), {.neighbors = 3});
  EXPECT_EQ(difference(dense_csls(sources, sources, targets, 3, 5), csls->best(sources, 5)), "");
}

TEST(CriterionRegistry, IsListedWithTrueDefaults) {
  ASSERT_EQ(criteria().size(), criterion_names().size());
  for (std::size_t i = 0; i < criteria().size(); ++i) {
    EXPECT_EQ(criteria()[i].name, criterion_names()[i]);
    EXPECT_FALSE(criteria()[i].summary.empty());
  }
  const CriterionInfo csls = criteria()[1];
  ASSERT_EQ(csls.options.size(), 1);
  EXPECT_EQ(csls.options[0].help_with_default(), "Neighbors that csls looks at (default: 10)");
  EXPECT_EQ(csls.options[0].short_name, "k");
}

TEST(CriterionRegistry, OptionsHaveRanges) {
  CriterionOptions options;
  const auto& isf = registered_criterion("isf").options;
  isf.set(options, "beta", 12.5);
  isf.set(options, "sample", "all");
  EXPECT_EQ(options.beta, 12.5);
  EXPECT_EQ(options.sample, 0);
  EXPECT_THROW(isf.set(options, "beta", 0.0), UsageError);
  EXPECT_THROW(isf.set(options, "neighbors", 5), UsageError);
  EXPECT_THROW(registered_criterion("csls").options.set(options, "neighbors", 0), UsageError);
}

TEST(CriterionRegistry, WrongUse) {
  const Matrix table = random_unit_rows(10, 4, 1);
  EXPECT_THROW(make_criterion("best", space_of(table, table)), UsageError);
}

}  // namespace
}  // namespace wordbridge::criterion_registry_test
