#include "experiments/experiment_result.h"

#include <gtest/gtest.h>

#include "experiments/experiments_test_support.h"

namespace wordbridge::experiment_result_test {
namespace {

TEST(ExperimentResult, AveragesCompareTheSameCells) {
  const RowAverage some = average_of(example_result(), 0);
  EXPECT_EQ(some.value, 55.5);
  EXPECT_EQ(some.paper, 21.5);  // (10 + 33) / 2
  EXPECT_EQ(some.cells, 2);
  ExperimentResult whole = example_result();
  whole.cells[0][1] = {60.0, 1, 1, ""};
  EXPECT_EQ(average_of(whole, 0).value, 57);
  EXPECT_EQ(average_of(whole, 0).paper, 21.5);  // as printed, not (10 + 20 + 33) / 3
  whole.experiment.rows[0].paper_average.reset();
  EXPECT_EQ(average_of(whole, 0).paper, 21);
  const RowAverage none = average_of(example_result(), 1);
  EXPECT_FALSE(none.value);
  EXPECT_FALSE(none.paper);  // not of two of three columns
}

TEST(ExperimentResult, Counts) {
  EXPECT_EQ(example_result().measured(), 2);
  EXPECT_EQ(example_result().wanted(), 6);
}

TEST(ExperimentResult, MappingsOfSeveralAreMerged) {
  const auto mapping = [](const char* name, const char* key, const char* criterion, double precision) {
    MeasuredMapping result;
    result.name = name;
    result.key = key;
    result.translations[criterion].precision_at_1 = precision;
    return result;
  };
  std::vector<ExperimentResult> results(2);
  results[0].mappings = {mapping("t: one, a", "1", "nn", 10), mapping("t: two, a", "2", "nn", 20)};
  results[1].mappings = {mapping("u: one, b", "3", "nn", 30), mapping("u: two, b", "1", "csls", 40)};
  const std::vector<MeasuredMapping> merged = merged_mappings(results);
  ASSERT_EQ(merged.size(), 3);
  EXPECT_EQ(merged[0].name, "t: one, a");
  EXPECT_EQ(merged[0].translations.at("nn").precision_at_1, 10);
  EXPECT_EQ(merged[0].translations.at("csls").precision_at_1, 40);
  EXPECT_EQ(merged[2].name, "u: one, b");
}

}  // namespace
}  // namespace wordbridge::experiment_result_test
