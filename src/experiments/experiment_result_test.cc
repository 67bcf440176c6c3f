#include "experiments/experiment_result.h"

#include <gtest/gtest.h>

namespace wordbridge::experiment_result_test {
namespace {

/// Three columns; the middle one of the first row was not measured, and of the second nothing.
ExperimentResult example() {
  ExperimentResult result;
  result.experiment = parse_experiment(R"({
    "name": "t", "title": "Table", "measure": "translation", "average": "avg.", "note": "A note.",
    "columns": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
    "rows": [{"name": "one", "paper": [10, 20, 33], "paper_average": 21.5}, {"name": "two", "paper": [1, null, 3]}]
  })",
                                       "t.json");
  result.cells = {{{50.0, 1, 1, "5 of 6 words"}, {std::nullopt, 0, 1, ""}, {61.0, 1, 1, "6 of 6 words"}},
                  {{std::nullopt, 0, 1, ""}, {std::nullopt, 0, 1, ""}, {std::nullopt, 0, 1, ""}}};
  result.reasons = {"missing: b.vec"};
  return result;
}

TEST(ExperimentResult, AveragesCompareTheSameCells) {
  const RowAverage some = average_of(example(), 0);
  EXPECT_EQ(some.value, 55.5);
  EXPECT_EQ(some.paper, 21.5);  // (10 + 33) / 2
  EXPECT_EQ(some.cells, 2);
  ExperimentResult whole = example();
  whole.cells[0][1] = {60.0, 1, 1, ""};
  EXPECT_EQ(average_of(whole, 0).value, 57);
  EXPECT_EQ(average_of(whole, 0).paper, 21.5);  // as printed, not (10 + 20 + 33) / 3
  whole.experiment.rows[0].paper_average.reset();
  EXPECT_EQ(average_of(whole, 0).paper, 21);
  const RowAverage none = average_of(example(), 1);
  EXPECT_FALSE(none.value);
  EXPECT_FALSE(none.paper);  // not of two of three columns
}

TEST(ExperimentResult, Counts) {
  EXPECT_EQ(example().measured(), 2);
  EXPECT_EQ(example().wanted(), 6);
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
