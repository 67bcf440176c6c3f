#include "cli/report/retrieval_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace wordbridge::retrieval_report_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Kind = RetrievalMeasure::Kind;

RetrievalResult result(const std::string& system, const std::string& criterion, double own, double kept) {
  RetrievalResult result{.system = system, .criterion = criterion};
  result.means = {{own, own - 2, own + 2}, {kept, kept - 1, kept + 1}};
  return result;
}

RetrievalFindings findings_of(std::vector<RetrievalResult> results) {
  RetrievalFindings findings{.adapter = "a.wbmap", .source = "new.npy", .target = "old.npy"};
  findings.measures = {{Kind::own, 1}, {Kind::kept, 10}};
  findings.results = std::move(results);
  findings.crowds = {{0.1, 0.4, 50, {{80, 75, 85}, {40, 35, 45}}}};
  findings.lost = {{"q<1>", "d1", "d7", 0, {0, 0.1}}, {"q2", "d2", "d8", 12, {0, 0.2}}};
  findings.queries = 150;
  findings.items = 1000;
  return findings;
}

TEST(RetrievalReport, TheTableHasAnIntervalBehindTheFirstMeasure) {
  const Table table = to_table(findings_of({result("adapter", "nn", 70, 40)}));
  ASSERT_EQ(table.columns.size(), 5u);
  EXPECT_EQ(table.columns[2].heading, "own first");
  EXPECT_EQ(table.columns[4].heading, "old 10 kept");
  EXPECT_THAT(table.rows,
              ::testing::ElementsAre(::testing::ElementsAre("adapter", "nn", "70.0", "68.0 to 72.0", "40.0")));
}

TEST(RetrievalReport, TheVerdictFollowsTheShareOfEmbeddingAgain) {
  const auto of = [](double own) {
    return verdict(findings_of({result(kAdapted, "nn", own, 40), result(kAdapted, "csls", own + 1, 40),
                                result(kAsTheyAre, "nn", 2, 1), result(kEmbeddedAgain, "nn", 100, 30)}));
  };
  EXPECT_THAT(of(96), HasSubstr("keeps 96% of it. Keep the index"));
  EXPECT_THAT(of(96), Not(HasSubstr("for now")));
  EXPECT_THAT(of(85), HasSubstr("Keep the index for now"));
  EXPECT_THAT(of(60), HasSubstr("Embed again"));
  EXPECT_THAT(of(60), HasSubstr("2.0 without an adapter"));
  EXPECT_THAT(of(60), Not(HasSubstr("CSLS")));
}

TEST(RetrievalReport, WithoutTheCeilingItSaysHowToGetOne) {
  const std::string text = verdict(findings_of({result(kAdapted, "nn", 60, 40), result(kAdapted, "csls", 70, 40)}));
  EXPECT_THAT(text, HasSubstr("own first 60.0 (95%: 58.0 to 62.0)"));
  EXPECT_THAT(text, HasSubstr("--reembedded"));
}

TEST(RetrievalReport, JudgementsDecideWhereThereAreAny) {
  RetrievalFindings findings = findings_of({result(kAdapted, "nn", 10, 90), result(kEmbeddedAgain, "nn", 100, 90)});
  findings.measures[1] = {Kind::ndcg, 10};
  EXPECT_THAT(verdict(findings), HasSubstr("nDCG@10 90.0"));
  EXPECT_THAT(verdict(findings), HasSubstr("keeps 100%"));
}

TEST(RetrievalReport, JsonHasAllOfIt) {
  const Json json = Json::parse(to_json(findings_of({result("adapter", "nn", 70, 40)})));
  EXPECT_EQ(json.at("results").at(0).at("measures").at("own@1").at("percent").get<double>(), 70);
  EXPECT_EQ(json.at("lose_most").at(1).at("own_rank").get<int>(), 12);
  EXPECT_EQ(json.at("by_crowding").at(0).at("measures").at("kept@10").at("high").get<double>(), 45);
}

TEST(RetrievalReport, ThePageHasTheLearningCurveWhereThereIsOne) {
  RetrievalFindings findings = findings_of({result("adapter", "nn", 70, 40)});
  EXPECT_THAT(retrieval_page(findings), HasSubstr("--learning-curve"));
  findings.provenance.metrics = {{"curve_own_first_500", 50}, {"curve_own_first_1000", 61.5}};
  const std::string page = retrieval_page(findings);
  EXPECT_THAT(page, HasSubstr("+11.5 points"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("q&lt;1&gt;"));
  EXPECT_THAT(page, HasSubstr("beyond"));
}

}  // namespace
}  // namespace wordbridge::retrieval_report_test
