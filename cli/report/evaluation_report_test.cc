#include "cli/report/evaluation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "lexicon/word_pairs_test_support.h"

namespace wordbridge::evaluation_report_test {

namespace {

using ::testing::ElementsAre;

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

}  // namespace wordbridge::evaluation_report_test
