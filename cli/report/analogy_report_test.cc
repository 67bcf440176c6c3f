#include "cli/report/analogy_report.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace wordbridge::analogy_report_test {
namespace {

Analogies result_of(std::size_t right) {
  Analogies result;
  result.words = 7;
  result.sections = {{"family", false, {2, 2, right}, {{true, 0, 0}, {true, 1, 0}}},
                     {"", false, {1, 0, 0}, {{false, {}, {}}}}};
  return result;
}

const std::vector<AnalogiesInSpace> kBoth = {{"original", result_of(1)}, {"aligned", result_of(2)}};

TEST(AnalogyReport, Table) {
  EXPECT_EQ(to_table(kBoth).to_text(),
            "section       questions  covered  original  aligned  original, all  aligned, all\n"
            "------------  ---------  -------  --------  -------  -------------  ------------\n"
            "family                2        2      50.0    100.0           50.0         100.0\n"
            "(no section)          1        0         -        -            0.0           0.0\n"
            "semantic              3        2      50.0    100.0           33.3          66.7\n"
            "syntactic             0        0         -        -              -             -\n"
            "total                 3        2      50.0    100.0           33.3          66.7\n");
}

TEST(AnalogyReport, Json) {
  const auto object = Json::parse(to_json(kBoth, AnalogyMethod::cos_mul));
  EXPECT_EQ(object["method"], "3cosmul");
  EXPECT_EQ(object["words"], 7);
  EXPECT_EQ(object["spaces"]["original"]["total"]["accuracy"], 50);
  EXPECT_EQ(object["spaces"]["aligned"]["semantic"]["right"], 2);
  EXPECT_EQ(object["spaces"]["aligned"]["total"]["accuracy_of_all"], 66.666667);
  EXPECT_TRUE(object["spaces"]["aligned"]["syntactic"]["accuracy"].is_null());
  EXPECT_EQ(object["spaces"]["aligned"]["sections"][0]["name"], "family");
}

TEST(AnalogyReport, Tsv) {
  AnalogyQuestions questions;
  questions.sections = {{"family", {{"a", "b", "c", "d"}, {"e", "f", "g", "h"}}}, {"", {{"i", "j", "k", "l"}}}};
  const std::vector<std::string> words = {"d", "x"};
  EXPECT_EQ(to_tsv(std::span(kBoth).first(1), questions, Vocabulary(words)),
            "section\ta\tb\tc\td\toriginal\toriginal answer\n"
            "family\ta\tb\tc\td\tright\td\n"
            "family\te\tf\tg\th\twrong\tx\n"
            "\ti\tj\tk\tl\tuncovered\t\n");
}

}  // namespace
}  // namespace wordbridge::analogy_report_test
