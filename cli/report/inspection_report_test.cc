#include "cli/report/inspection_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace wordbridge::inspection_report_test {
namespace {

using ::testing::HasSubstr;

Inspection example() {
  std::vector<std::string> words = {"the", "Zero", "USA", "1990"};
  const std::vector<float> values = {3, 4, 0, 0, 6, 8, 3, 4};
  return inspect_vectors(WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), 4, 2})), {.examples = 3});
}

TEST(InspectionReport, Text) {
  EXPECT_EQ(to_text(example()),
            "words                    4\n"
            "dimension                2\n"
            "first words              the Zero USA\n"
            "letter case              25.0% lower, 25.0% title, 25.0% upper, 25.0% no letters\n"
            "lengths                  min 5, median 5, mean 6.667, max 10\n"
            "quantiles of lengths     1%: 5, 5%: 5, 25%: 5, 50%: 5, 75%: 10, 95%: 10, 99%: 10\n"
            "cosine of random pairs   mean 1.0000, standard deviation 0.0000 (10000 pairs)\n"
            "suspicious\n"
            "  zero vectors           1: Zero\n"
            "  equal vectors          1: 1990 = the\n");
}

TEST(InspectionReport, NothingSuspicious) {
  std::vector<std::string> words = {"a", "b"};
  const std::vector<float> values = {1, 0, 0, 1};
  const Inspection inspection = inspect_vectors(WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), 2, 2})));
  EXPECT_THAT(to_text(inspection), HasSubstr("suspicious               nothing\n"));
}

TEST(InspectionReport, MoreThanIsShown) {
  Inspection inspection;
  inspection.far_norms = {7, {"x (1)", "y (2)"}};
  EXPECT_THAT(to_text(inspection), HasSubstr("far lengths            7: x (1), y (2), ...\n"));
}

TEST(InspectionReport, Json) {
  const auto json = Json::parse(to_json(example()));
  EXPECT_EQ(json["words"], 4);
  EXPECT_EQ(json["dimension"], 2);
  EXPECT_EQ(json["first_words"], Json({"the", "Zero", "USA"}));
  EXPECT_EQ(json["letter_cases"]["upper"], 1);
  EXPECT_EQ(json["letter_cases"]["mixed"], 0);
  EXPECT_EQ(json["norms"]["max"], 10);
  EXPECT_EQ(json["norms"]["quantiles"]["0.75"], 10);
  EXPECT_NEAR(json["cosine_of_random_pairs"]["mean"].get<double>(), 1, 1e-9);
  EXPECT_EQ(json["suspicious"]["zero_vectors"]["count"], 1);
  EXPECT_EQ(json["suspicious"]["equal_vectors"]["examples"][0], "1990 = the");
}

TEST(InspectionReport, InvalidUtf8InJson) {
  std::vector<std::string> words = {"a\xff"};
  const std::vector<float> values = {1, 0};
  const Inspection inspection = inspect_vectors(WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), 1, 2})));
  EXPECT_EQ(Json::parse(to_json(inspection))["first_words"][0], "a\uFFFD");
}

}  // namespace
}  // namespace wordbridge::inspection_report_test
