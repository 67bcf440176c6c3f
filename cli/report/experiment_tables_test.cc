#include "cli/report/experiment_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace wordbridge::experiment_tables_test {
namespace {

using ::testing::HasSubstr;

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

TEST(ExperimentTables, TableHasThePapersNumbersBeside) {
  EXPECT_EQ(to_table(example()).to_text(),
            "measured (paper)            a         b            c         avg.\n"
            "----------------  -----------  --------  -----------  -----------\n"
            "one               50.0 (10.0)  - (20.0)  61.0 (33.0)  55.5 (21.5)\n"
            "two                   - (1.0)         -      - (3.0)            -\n");
}

TEST(ExperimentTables, LongTableAndNotes) {
  EXPECT_THAT(to_long_table(example()).to_csv(), HasSubstr("\nt,one,a,50,10,5 of 6 words\nt,one,b,,20,\n"));
  EXPECT_EQ(notes_of(example()), "A note.\n2 of 6 measurements\n  missing: b.vec\n");
}

TEST(ExperimentTables, Json) {
  const auto json = nlohmann::json::parse(to_json(example()));
  EXPECT_EQ(json["rows"][0]["cells"][0]["measured"], 50);
  EXPECT_EQ(json["rows"][0]["cells"][0]["coverage"], "5 of 6 words");
  EXPECT_TRUE(json["rows"][0]["cells"][1]["measured"].is_null());
  EXPECT_EQ(json["rows"][0]["cells"][1]["paper"], 20);
  EXPECT_EQ(json["rows"][0]["average"]["cells"], 2);
  EXPECT_EQ(json["reasons"][0], "missing: b.vec");
}

}  // namespace
}  // namespace wordbridge::experiment_tables_test
