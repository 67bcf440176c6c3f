#include "cli/report/mapping_findings.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"

namespace wordbridge::cli::mapping_findings_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::cli::mapping_findings_test
