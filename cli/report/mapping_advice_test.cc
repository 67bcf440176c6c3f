#include "cli/report/mapping_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::cli::mapping_advice_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
}  // namespace wordbridge::cli::mapping_advice_test
