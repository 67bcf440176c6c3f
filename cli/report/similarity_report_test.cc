#include "cli/report/similarity_report.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace wordbridge::similarity_report_test {
namespace {

Similarity result_of(std::size_t found, std::optional<double> spearman, std::optional<double> pearson) {
  Similarity result;
  result.pairs = 10;
  result.found = found;
  result.spearman = spearman;
  result.pearson = pearson;
  return result;
}

const std::vector<SimilarityOfSet> kSets = {
    {"ws", {{"original", result_of(9, 0.5, 0.4)}, {"aligned", result_of(9, 0.6, 0.5)}}},
    {"rare", {{"original", result_of(1, {}, {})}, {"aligned", result_of(1, {}, {})}}}};

TEST(SimilarityReport, Table) {
  EXPECT_EQ(to_table(kSets).to_csv(),
            "set,pairs,found,\"Spearman, original\",\"Spearman, aligned\",\"Pearson, original\",\"Pearson, aligned\"\n"
            "ws,10,9,0.500,0.600,0.400,0.500\n"
            "rare,10,1,-,-,-,-\n"
            "mean,20,10,0.500,0.600,0.400,0.500\n");
  EXPECT_EQ(to_table(std::span(kSets).first(1)).rows.size(), 1);
}

TEST(SimilarityReport, Json) {
  const auto list = Json::parse(to_json(kSets));
  ASSERT_EQ(list.size(), 2);
  EXPECT_EQ(list[0]["set"], "ws");
  EXPECT_EQ(list[0]["found"], 9);
  EXPECT_EQ(list[0]["spaces"]["aligned"]["spearman"], 0.6);
  EXPECT_TRUE(list[1]["spaces"]["original"]["pearson"].is_null());
}

}  // namespace
}  // namespace wordbridge::similarity_report_test
