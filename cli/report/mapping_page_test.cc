#include "cli/report/mapping_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::cli::mapping_page_test {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MappingPage, HasItsParts) {
  MappingFindings findings;
  findings.mapping = "m.wbmap";
  findings.translations.emplace_back();
  findings.translations[0].result.criterion = "rerank";
  findings.provenance.source.name = "en.vec";
  findings.provenance.target.name = "es<b>.vec";
  findings.translations[0].result.all = {200, {64, 75, 80}, 70};
  findings.translations[0].result.words = {{"night", true, {"noche"}, {"noche"}, {0.9}, 1},
                                           {"green", true, {"verde"}, {"rojo"}, {0.8}, 0}};
  findings.reliability = evaluate_reliability(findings.best());
  findings.command = "wordbridge report m.wbmap";
  const std::string page = mapping_page(findings);
  EXPECT_THAT(page, HasSubstr("m.wbmap: en.vec to es&lt;b&gt;.vec"));
  EXPECT_THAT(page, HasSubstr("<b>64.0%</b>of 200 test words are translated right by the re-ranker"));
  EXPECT_THAT(page, HasSubstr("57.1 to 70.3"));  // Wilson's interval of 128 of 200
  EXPECT_THAT(page, HasSubstr("rojo"));
  EXPECT_THAT(page, HasSubstr("Are the probabilities true?"));
  EXPECT_THAT(page, HasSubstr("wordbridge report m.wbmap"));
  findings.translations.clear();
  findings.reliability.reset();
  EXPECT_THAT(mapping_page(findings), Not(HasSubstr("Word translation")));
}

}  // namespace

}  // namespace wordbridge::cli::mapping_page_test
