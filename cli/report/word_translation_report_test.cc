#include "cli/report/word_translation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace wordbridge::word_translation_report_test {
namespace {

using ::testing::StartsWith;

WordTranslation example() {
  WordTranslation result;
  result.criterion = "csls";
  result.all = {1500, {64.0, 76.53333333333333, 80.0}, 69.123456789};
  result.covered = {1471, {65.26172671651937, 78.0, 81.57715839564922}, 70.5};
  result.coverage.lines = 2975;
  result.coverage.pairs = 2900;
  result.coverage.missing_target = 75;
  result.coverage.all_source_words = 1500;
  result.coverage.source_words = 1471;
  result.words = {{"house", true, {"casa", "hogar"}, {"casa", "piso"}, {0.5, 0.25}, 1},
                  {"a b", true, {"x"}, {"y\tz"}, {0.125}, 0},
                  {"out", false, {"fuera"}, {}, {}, 0}};
  return result;
}

TEST(WordTranslationReport, Text) {
  EXPECT_EQ(
      to_table(example()).to_text() + coverage_line(example()),
      "source words  number   P@1   P@5  P@10  MRR@10\n"
      "------------  ------  ----  ----  ----  ------\n"
      "all             1500  64.0  76.5  80.0    69.1\n"
      "covered         1471  65.3  78.0  81.6    70.5\n"
      "criterion csls; coverage 98.1%: 1471 of 1500 source words, 2900 of 2975 pairs (75 pairs without the target "
      "word)\n");
}

TEST(WordTranslationReport, Json) {
  const auto json = Json::parse(to_json(std::vector<MeasuredTranslation>{{"m.wbmap", example()}}));
  EXPECT_EQ(json["precision"]["all"]["1"], 64.0);
  EXPECT_EQ(json["precision"]["all"]["5"], 76.533333);
  EXPECT_EQ(json["precision"]["all"]["10"], 80.0);
  EXPECT_EQ(json["precision"]["covered"]["1"], 65.261727);
  EXPECT_EQ(json["mrr_at_10"], 69.123457);
  EXPECT_EQ(json["mrr_at_10_covered"], 70.5);
  EXPECT_EQ(json["coverage"], 98.066667);
  EXPECT_EQ(json["criterion"], "csls");
  EXPECT_EQ(json["words"]["all"], 1500);
  EXPECT_EQ(json["words"]["covered"], 1471);
  EXPECT_EQ(json["lexicon"]["pairs"], 2900);
  EXPECT_THAT(to_json(std::vector<MeasuredTranslation>{{"m.wbmap", example()}}),
              StartsWith("{\n  \"precision\": {\n    \"all\": {\n      \"1\": 64.0,"));
}

TEST(WordTranslationReport, Tsv) {
  EXPECT_EQ(to_tsv(example()),
            "source\tstatus\trank\tgold\tpredictions\tscores\n"
            "house\tright\t1\tcasa | hogar\tcasa | piso\t0.500000 | 0.250000\n"
            "a b\twrong\t0\tx\ty\\tz\t0.125000\n"
            "out\tuncovered\t0\tfuera\t\t\n");
}

TEST(WordTranslationReport, TableOfFrequencyBands) {
  FrequencyBand frequent{.first = 1, .last = 10, .all = {.words = 2}, .covered = {.words = 2}};
  frequent.all.precision = {50, 100, 100};
  frequent.all.mrr_at_10 = 75;
  FrequencyBand rare{.first = 11, .last = 0, .all = {.words = 3}, .covered = {.words = 2}};
  rare.all.precision = {33.33, 33.33, 33.33};
  rare.all.mrr_at_10 = 33.33;
  EXPECT_EQ(to_table(std::vector<FrequencyBand>{frequent, rare}).to_csv(),
            "frequency rank,words,covered,P@1,P@5,P@10,MRR@10\n"
            "1-10,2,2,50.0,100.0,100.0,75.0\n"
            "11 and above,3,2,33.3,33.3,33.3,33.3\n");
}

TEST(WordTranslationReport, ComparisonOfSeveralMappings) {
  PairedBootstrap better;
  better.words = 1500;
  better.first = 62.6;
  better.second = 64;
  better.low = -0.04;
  better.high = 2.5;
  better.p_value = 0.0123;
  better.only_first = 3;
  better.only_second = 24;
  better.samples = 10000;
  const std::vector<MeasuredTranslation> results = {{"a.wbmap", example()}, {"b.wbmap", example(), better}};
  EXPECT_EQ(comparison_table(results).to_csv(),
            "mapping,criterion,P@1,P@5,P@10,MRR@10,difference,95% interval,p,only before,only after\n"
            "a.wbmap,csls,64.0,76.5,80.0,69.1,,,,,\n"
            "b.wbmap,csls,64.0,76.5,80.0,69.1,+1.4,\"-0.0 to +2.5\",0.0123,3,24\n");
  EXPECT_THAT(comparison_note(results), StartsWith("over all 1500 source words; difference of P@1"));
  const auto json = Json::parse(to_json(results))["comparisons"];
  ASSERT_EQ(json.size(), 1);
  EXPECT_EQ(json[0]["mapping"], "b.wbmap");
  EXPECT_EQ(json[0]["difference"], 1.4);
  EXPECT_EQ(json[0]["precision"]["1"], 64);
}

TEST(WordTranslationReport, RerankAnalysis) {
  RerankAnalysis analysis;
  analysis.reranked = {{"none is similar", "unlike", {.words = 2}}};
  analysis.reranked[0].shares.precision[0] = 50;
  analysis.csls = analysis.reranked;
  analysis.csls[0].shares.precision[0] = 25;
  EXPECT_EQ(to_table(analysis).to_csv(),
            "source words of which,number,P@1 by csls,P@1 re-ranked\nnone is similar,2,25.0,50.0\n");
  EXPECT_THAT(to_json(analysis), ::testing::HasSubstr(R"({"group":"unlike","words":2,"precision_at_1":50.0)"));
  analysis.comparison.words = 2;
  analysis.comparison.first = 25;
  analysis.comparison.second = 50;
  analysis.comparison.only_second = 1;
  EXPECT_THAT(comparison_line(analysis), StartsWith("against csls in the same mapping: P@1 25.0 -> 50.0: +25.0 (95%"));
  EXPECT_THAT(comparison_line(analysis), ::testing::HasSubstr("right only before 0, only after 1 of 2 words"));
  const auto json =
      Json::parse(to_json(std::vector<MeasuredTranslation>{{"m.wbmap", example(), std::nullopt, analysis}}));
  EXPECT_EQ(json["rerank"]["groups"][0]["csls_precision_at_1"], 25);
  EXPECT_EQ(json["rerank"]["comparison"]["difference"], 25);
  EXPECT_FALSE(json.contains("comparisons"));
}

}  // namespace
}  // namespace wordbridge::word_translation_report_test
