#include "experiments/measurement_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::measurement_records_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

WordTranslation translation() {
  WordTranslation result;
  result.criterion = "csls";
  result.all = {.words = 3, .precision = {100.0 / 3, 50, 50}, .mrr_at_10 = 40};
  result.covered = {.words = 2, .precision = {50, 75, 75}, .mrr_at_10 = 60};
  result.coverage.lines = 4;
  result.coverage.pairs = result.coverage.source_words = 2;
  result.coverage.all_source_words = 3;
  result.words = {{"sure", true, {"x"}, {"x", "y"}, {0.5, 0.25}, 1},
                  {"surer", true, {"z"}, {"z"}, {0.75}, 1},
                  {"wrong", true, {"a", "b"}, {"c", "a"}, {0.875, 0.5}, 2},
                  {"uncovered", false, {"d"}, {"e"}, {1.0}, 0},
                  {"zero", true, {"d"}, {}, {}, 0}};
  return result;
}

// As caches have them.
TEST(TranslationRecord, Bytes) {
  WordTranslation result = translation();
  result.words.resize(1);
  EXPECT_EQ(to_record(result), R"({
 "precision": {
  "all": {
   "1": 33.333333,
   "5": 50.0,
   "10": 50.0
  },
  "covered": {
   "1": 50.0,
   "5": 75.0,
   "10": 75.0
  }
 },
 "mrr_at_10": 40.0,
 "mrr_at_10_covered": 60.0,
 "coverage": 66.666667,
 "criterion": "csls",
 "words": {
  "all": 3,
  "covered": 2
 },
 "lexicon": {
  "lines": 4,
  "duplicates": 0,
  "identical_dropped": 0,
  "pairs": 2,
  "missing_source": 0,
  "missing_target": 0,
  "missing_both": 0,
  "case_matched": 0,
  "skipped_lines": 0
 },
 "right": [
  {
   "word": "sure",
   "translation": "x",
   "score": 0.5,
   "gold": [
    "x"
   ]
  }
 ],
 "wrong": []
})");
}

TEST(TranslationRecord, TheSurestComeFirst) {
  const auto record = parse_translation_record(to_record(translation()));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->precision_at_1, 33.333333);
  EXPECT_EQ(record->words, 3);
  EXPECT_EQ(record->covered, 2);
  ASSERT_THAT(record->right, SizeIs(2));
  EXPECT_EQ(record->right[0].word, "surer");
  EXPECT_EQ(record->right[1].translation, "x");
  ASSERT_THAT(record->wrong, SizeIs(1)) << "neither uncovered words nor those without a translation";
  EXPECT_EQ(record->wrong[0].translation, "c");
  EXPECT_EQ(record->wrong[0].score, 0.875);
  EXPECT_THAT(record->wrong[0].gold, ElementsAre("a", "b"));
}

TEST(TranslationRecord, TwelveOfEach) {
  WordTranslation result = translation();
  for (int i = 0; i < 20; ++i) result.words.push_back(result.words[0]);
  EXPECT_THAT(parse_translation_record(to_record(result))->right, SizeIs(12));
}

TEST(HubnessRecord, ThereAndBack) {
  Vocabulary source, target;
  for (const char* word : {"a", "b"}) source.add(word);
  for (const char* word : {"x", "y", "\xff"}) target.add(word);
  Hubness result;
  result.criterion = "nn";
  result.k = 10;
  result.queries = 2;
  result.targets = 3;
  result.skewness = 1.23456789;
  result.never = 1;
  result.hubs = {{2, 5, {1, 0}}, {0, 1, {1}}};
  result.histogram = {1, 1, 0, 1};
  const std::string text = to_record(std::vector<Hubness>{result}, source, target);
  EXPECT_THAT(text, HasSubstr("    \"k\": 10,\n    \"source_words\": 2,\n    \"targets\": 3,\n"));
  EXPECT_THAT(text, HasSubstr("\"chosen_by\": [\n          \"b\",\n          \"a\"\n        ]"));
  const auto records = parse_hubness_record(text);
  ASSERT_TRUE(records);
  ASSERT_THAT(*records, SizeIs(1));
  const HubnessRecord& record = records->front();
  EXPECT_EQ(record.criterion, "nn");
  EXPECT_EQ(record.source_words, 2);
  EXPECT_EQ(record.skewness, 1.234568);
  EXPECT_EQ(record.largest, 5);
  EXPECT_EQ(record.never_percent, 33.333333);
  ASSERT_THAT(record.histogram, SizeIs(4));
  EXPECT_EQ(record.histogram[3].occurrences, "4-7");
  EXPECT_EQ(record.histogram[3].targets, 1);
  EXPECT_THAT(record.hubs, ElementsAre("\xef\xbf\xbd", "x")) << "bytes that are not UTF-8 become U+FFFD";
}

TEST(AnalogyRecord, ThereAndBack) {
  Analogies result;
  result.sections = {{"family", false, {4, 3, 2}, {}}, {"gram1", true, {2, 0, 0}, {}}};
  const auto record = parse_analogy_record(to_record(result));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->part("semantic").accuracy, 200.0 / 3) << "to the last bit";
  EXPECT_EQ(record->part("syntactic").questions, 2);
  EXPECT_EQ(record->part("syntactic").covered, 0);
  EXPECT_EQ(record->part("total").questions, 6);
  EXPECT_THROW(record->part("morphologic"), UsageError);
}

TEST(SimilarityRecord, ThereAndBack) {
  Similarity result;
  result.pairs = 5;
  result.found = 2;
  result.spearman = 1.0 / 3;
  EXPECT_EQ(to_record(result),
            "{\n \"pairs\": 5,\n \"found\": 2,\n \"spearman\": 0.3333333333333333,\n \"pearson\": null\n}");
  const auto record = parse_similarity_record(to_record(result));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->found, 2);
  EXPECT_EQ(record->correlation("spearman"), 1.0 / 3);
  EXPECT_EQ(record->correlation("pearson"), std::nullopt);
  EXPECT_THROW(record->correlation("kendall"), UsageError);
}

TEST(Records, WhatIsNone) {
  for (const char* text : {"", "{", "{}", "[]", "3", "[3]", "null", "{\"pairs\": \"x\"}", "{\"words\": {\"all\": 3}}",
                           "{\"total\": {}}", "[{\"criterion\": \"nn\"}]", "\xff"}) {
    EXPECT_FALSE(parse_translation_record(text)) << text;
    EXPECT_FALSE(parse_analogy_record(text)) << text;
    EXPECT_FALSE(parse_similarity_record(text)) << text;
    EXPECT_FALSE(parse_hubness_record(text)) << text;
  }
}

}  // namespace
}  // namespace wordbridge::measurement_records_test
