#include "cli/report/sentence_report.h"

#include <gmock/gmock.h>

namespace wordbridge::sentence_report_test {
namespace {

using ::testing::ElementsAre;

TEST(SentenceReport, ARowForEachDirectionAndCriterion) {
  SentenceEvaluation evaluation{.idf_sentences = 7, .idf_apart = false};
  SentenceTranslation result{.criterion = "csls", .queries = 5, .unknown_queries = 1, .candidates = 9};
  result.precision = {wilson_share(1, 5), wilson_share(5, 5), wilson_share(5, 5)};
  evaluation.results = {result, result};
  evaluation.results.back().asking = Side::target;
  evaluation.results.back().unknown_candidates = 3;
  const Table table = to_table(evaluation);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.rows[0], ElementsAre("source-target", "csls", "5", "9", "20.0", "3.6-62.4", "100.0", "56.6-100.0",
                                         "100.0", "56.6-100.0"));
  EXPECT_EQ(table.rows[1][0], "target-source");
  EXPECT_EQ(
      remark_of(evaluation, "words"),
      "tokens are words, weighted by 7 sentences, the candidates among them; without a known word: 1 source and 1 "
      "target queries, 3 and 0 candidates\n");
}

}  // namespace
}  // namespace wordbridge::sentence_report_test
