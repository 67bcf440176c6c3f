#include "cli/report/hubness_report.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "lexicon/word_pairs_test_support.h"

namespace wordbridge::hubness_report_test {
namespace {

Hubness example() {
  Hubness result;
  result.criterion = "nn";
  result.k = 2;
  result.queries = 4;
  result.targets = 8;
  result.skewness = 1.2345678;
  result.never = 6;
  result.hubs = {{1, 5, {0, 1}}, {0, 2, {1, 0}}};
  result.histogram = {6, 0, 1, 1};
  return result;
}

const Vocabulary kSource = vocabulary_of({"the", "a"}), kTarget = vocabulary_of({"el", "de"});

TEST(HubnessReport, Tables) {
  const std::vector<Hubness> results = {example()};
  EXPECT_EQ(to_table(results).to_text(),
            "criterion  source words  targets  skewness  largest  never chosen\n"
            "---------  ------------  -------  --------  -------  ------------\n"
            "nn                    4        8      1.23        5         75.0%\n");
  EXPECT_EQ(hubs_table(results.front(), kSource, kTarget).to_text(),
            "hubs by nn  N_2  chosen by\n"
            "----------  ---  ---------\n"
            "de            5  the a ...\n"
            "el            2  a the\n");
}

TEST(HubnessReport, Json) {
  const std::vector<Hubness> results = {example()};
  const auto list = Json::parse(to_json(results, kSource, kTarget));
  ASSERT_EQ(list.size(), 1);
  EXPECT_EQ(list[0]["skewness"], 1.234568);
  EXPECT_EQ(list[0]["largest"], 5);
  EXPECT_EQ(list[0]["histogram"][3]["occurrences"], "4-7");
  EXPECT_EQ(list[0]["hubs"][0]["word"], "de");
  EXPECT_EQ(list[0]["hubs"][1]["chosen_by"][0], "a");
}

}  // namespace
}  // namespace wordbridge::hubness_report_test
