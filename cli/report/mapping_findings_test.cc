#include "cli/report/mapping_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"

namespace wordbridge::cli::mapping_findings_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

WordVectors words(const std::vector<std::string>& names, const std::vector<std::vector<float>>& rows) {
  Matrix table(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], table.row(i).begin());
  return {Vocabulary(names), std::move(table)};
}

TEST(WordMap, WordsOfAPairAreJoined) {
  // Around a circle.
  const CommonSpace space(words({"up", "left", "x<y"}, {{0, 1}, {-1, 0}, {0.6F, -0.8F}}),
                          words({"oben", "links", "drei"}, {{0.6F, 0.8F}, {-0.8F, 0.6F}, {1, 0}}));
  const std::vector<Lexicon::Pair> pairs = {{0, 0}, {1, 1}, {2, 2}};
  const std::string svg = word_map_svg(space, pairs);
  for (const char* word : {">up<", ">oben<", ">left<", ">links<", ">x&lt;y<"}) EXPECT_THAT(svg, HasSubstr(word));
  EXPECT_THAT(svg, HasSubstr("<line class=\"grid\""));
}

TEST(WordMap, NothingIsWrittenOverAnother) {
  const CommonSpace space(words({"a", "b", "same"}, {{1, 0}, {0, 1}, {1, 0}}),
                          words({"A", "B", "SAME"}, {{0.6F, 0.8F}, {-1, 0}, {0.6F, 0.8F}}));
  const std::vector<Lexicon::Pair> pairs = {{0, 0}, {1, 1}, {2, 2}};
  const std::string svg = word_map_svg(space, pairs);
  EXPECT_THAT(svg, HasSubstr(">a<"));
  EXPECT_THAT(svg, Not(HasSubstr("same")));
}

TEST(WordMap, TooFewForAPicture) {
  const CommonSpace space(words({"a"}, {{1, 0}}), words({"A"}, {{0, 1}}));
  EXPECT_THAT(word_map_svg(space, std::vector<Lexicon::Pair>{{0, 0}}), Not(HasSubstr("<text")));
  EXPECT_THAT(word_map_svg(space, {}), HasSubstr("</svg>"));
}

TEST(MappingFindings, MeasureTheSpace) {
  std::vector<std::string> source, target;
  for (int i = 0; i < 300; ++i) {
    source.push_back("s" + std::to_string(i));
    target.push_back("t" + std::to_string(i));
  }
  const Matrix rows = random_matrix(300, 8, 1);
  Matrix others = random_matrix(300, 8, 2);
  for (std::size_t i = 0; i < others.size(); ++i)
    others.data()[i] = rows.data()[i] + 0.2F * others.data()[i];  // near, but not written over each other
  const CommonSpace space({Vocabulary(source), Matrix::copy_of(rows)}, {Vocabulary(target), std::move(others)});
  // The last pair is wrong: the nearest row is another word.
  const Lexicon lexicon({{5, 5}, {150, 150}, {250, 250}, {7, 8}});
  const GoldLexicon gold(lexicon, space.vocabulary(Side::source), space.vocabulary(Side::target));
  MappingFindings findings;
  for (const char* name : {"nn", "csls"}) findings.measure(space, gold, *make_criterion(name, space));
  findings.conclude(space, 1);
  findings.measure_hubness(space, 100);
  ASSERT_EQ(findings.translations.size(), 2);
  EXPECT_EQ(findings.best().criterion, "csls");
  EXPECT_EQ(findings.best().all.precision[0], 75);
  const std::vector<FrequencyBand>& bands = findings.translations[1].bands;
  ASSERT_EQ(bands.size(), 3);  // up to 100, 200, and the end
  EXPECT_EQ(bands[0].all.words, 2);
  EXPECT_EQ(bands[2].last, 300);
  EXPECT_NE(findings.word_map.find(">s5<"), std::string::npos);
  EXPECT_EQ(findings.word_map.find(">s7<"), std::string::npos) << "it is not translated right";
  EXPECT_FALSE(findings.rerank);
  ASSERT_EQ(findings.hubness.size(), 2);
  EXPECT_EQ(findings.hubness[0].source_words, 100);
}

/// Nothing to complain about: re-ranked, well covered, from a large lexicon.
MappingFindings good() {
  MappingFindings findings;
  findings.mapping = "m.wbmap";
  findings.lexicon = "data/test.txt";
  findings.provenance.method = "auto";
  findings.provenance.lexicon = "data/train.txt: 5000 of 5000 source words, 9000 of 9000 pairs";
  MappingFindings::Translation translation;
  translation.result.criterion = "rerank";
  translation.result.coverage.all_source_words = 100;
  translation.result.coverage.source_words = 98;
  translation.bands = {{1, 1000, {40, {80, 90, 95}, 85}, {}}, {1001, 5000, {60, {75, 85, 90}, 80}, {}}};
  findings.translations.push_back(translation);
  return findings;
}

TEST(MappingAdvice, NothingStandsOut) { EXPECT_THAT(advice(good()), ElementsAre(HasSubstr("Nothing stands out"))); }

TEST(MappingAdvice, WithoutATest) {
  MappingFindings findings = good();
  findings.translations.clear();
  EXPECT_THAT(advice(findings), ElementsAre(HasSubstr("Give a test lexicon")));
}

TEST(MappingAdvice, TestedOnWhatItWasLearnedFrom) {
  MappingFindings findings = good();
  findings.lexicon = "other/train.txt";
  EXPECT_THAT(advice(findings), ElementsAre(HasSubstr("learned from train.txt itself")));
}

TEST(MappingAdvice, UncoveredWords) {
  MappingFindings findings = good();
  findings.translations[0].result.coverage.source_words = 70;
  EXPECT_THAT(advice(findings), ElementsAre(HasSubstr("30% of the test's source words")));
}

TEST(MappingAdvice, AnotherMethodAndASmallLexicon) {
  MappingFindings findings = good();
  findings.provenance.method = "procrustes";
  findings.provenance.lexicon = "train.txt: 80 of 100 source words, 90 of 120 pairs";
  EXPECT_THAT(advice(findings), ElementsAre(HasSubstr("without --method procrustes"), HasSubstr("80 source words")));
}

TEST(MappingAdvice, NoRerankerAndRareWords) {
  MappingFindings findings = good();
  findings.translations[0].result.criterion = "csls";
  findings.translations[0].bands[1].all.precision[0] = 30;
  EXPECT_THAT(advice(findings),
              ElementsAre(HasSubstr("no re-ranker"), HasSubstr("30.0 beyond rank 1000 instead of 80.0")));
  findings.translations[0].bands[1].all.words = 5;  // too few to say anything
  EXPECT_THAT(advice(findings), ElementsAre(HasSubstr("no re-ranker")));
}

TEST(MappingAdvice, ProbabilitiesThatAreNone) {
  MappingFindings findings = good();
  findings.reliability = Reliability{100, {}, 12.3};
  EXPECT_THAT(advice(findings), ElementsAre(HasSubstr("off by 12.3 points")));
}

}  // namespace

}  // namespace wordbridge::cli::mapping_findings_test
