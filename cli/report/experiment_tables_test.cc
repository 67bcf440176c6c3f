#include "cli/report/experiment_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "experiments/experiments_test_support.h"

namespace wordbridge::experiment_tables_test {
namespace {

using ::testing::HasSubstr;

TEST(ExperimentTables, TableHasThePapersNumbersBeside) {
  EXPECT_EQ(to_table(example_result()).to_text(),
            "measured (paper)            a         b            c         avg.\n"
            "----------------  -----------  --------  -----------  -----------\n"
            "one               50.0 (10.0)  - (20.0)  61.0 (33.0)  55.5 (21.5)\n"
            "two                   - (1.0)         -      - (3.0)            -\n");
}

TEST(ExperimentTables, LongTableAndNotes) {
  EXPECT_THAT(to_long_table(example_result()).to_csv(), HasSubstr("\nt,one,a,50,10,5 of 6 words\nt,one,b,,20,\n"));
  EXPECT_EQ(notes_of(example_result()), "A note.\n2 of 6 measurements\n  missing: b.vec\n");
}

TEST(ExperimentTables, Json) {
  const auto json = Json::parse(to_json(example_result()));
  EXPECT_EQ(json["rows"][0]["cells"][0]["measured"], 50);
  EXPECT_EQ(json["rows"][0]["cells"][0]["coverage"], "5 of 6 words");
  EXPECT_TRUE(json["rows"][0]["cells"][1]["measured"].is_null());
  EXPECT_EQ(json["rows"][0]["cells"][1]["paper"], 20);
  EXPECT_EQ(json["rows"][0]["average"]["cells"], 2);
  EXPECT_EQ(json["reasons"][0], "missing: b.vec");
}

}  // namespace
}  // namespace wordbridge::experiment_tables_test
