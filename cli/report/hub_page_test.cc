#include "cli/report/hub_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::cli::hub_page_test {

using testing::HasSubstr;
using testing::Not;

HubManifest example() {
  HubManifest manifest;
  manifest.version = "0.1.0";
  manifest.pivot = "en";
  manifest.normalization = "unit";
  for (const std::string name : {"de", "en", "es"}) {
    manifest.languages.emplace_back();
    manifest.languages.back().name = name;
    manifest.languages.back().words = 100;
    if (name != "en") manifest.languages.back().method = "procrustes";
  }
  manifest.failed = {{"fr", "there is no <lexicon>"}};
  DirectionRecord record;
  record.origin = "given";
  record.words = record.covered = 40;
  record.bands = {{500, 20, 50}, {2000, 20, 30}};
  record.hubness = HubnessRecord{"csls", 8, 1.5, 3, 12.5, {{"0", 2}, {"1", 6}}, {"casa"}};
  double precision = 10;
  for (const std::string source : {"de", "en", "es"})
    for (const std::string target : {"de", "en", "es"})
      if (source != target) {
        record.precision[0] = precision += 10;
        manifest.scores[HubMaps::star][{source, target}] = record;
      }
  return manifest;
}

TEST(HubPage, ATableWithARowForEachLanguage) {
  const Table table = hub_table(example());
  ASSERT_EQ(table.rows.size(), 4u);
  // de-en 20, de-es 30, en-de 40, en-es 50, es-de 60, es-en 70.
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"de", "100", "procrustes", "20.0", "40.0", "37.5"}));
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"en", "100", "pivot", "-", "-", "45.0"}));
  EXPECT_EQ(table.rows[3][2], "failed");
  EXPECT_THAT(hub_notes(example()), HasSubstr("The mean over all directions is 45.0."));
  EXPECT_THAT(hub_notes(example()), HasSubstr("fr failed: there is no <lexicon>\n"));
}

TEST(HubPage, HoldsTheHeatMapAndWhatFailed) {
  const std::string page = hub_page(example(), {});
  EXPECT_THAT(page, HasSubstr("<title>es to de: 60.0</title>"));
  EXPECT_THAT(page, HasSubstr("fr: there is no &lt;lexicon&gt;"));
  EXPECT_THAT(page, HasSubstr("P@1 by frequency"));
  EXPECT_THAT(page, Not(HasSubstr("Star or joint")));
  EXPECT_EQ(page, hub_page(example(), {}));
}

TEST(HubPage, ComparesStarAndJointMaps) {
  HubManifest manifest = example();
  manifest.comparison = HubComparison{6, 40.5, 41.25, 30, 29, 4};
  EXPECT_THAT(hub_page(manifest, {}), HasSubstr("Star or joint"));
  EXPECT_THAT(hub_notes(manifest),
              HasSubstr("Held-out words of 6 directions recommend the star maps: star 40.50, joint "
                        "41.25 (with en alone 30.00 and 29.00)."));
}

TEST(HubPage, NothingMeasured) {
  HubManifest manifest = example();
  manifest.scores.clear();
  EXPECT_THAT(hub_page(manifest, {}), HasSubstr("languages in one space, around en"));
  EXPECT_EQ(hub_table(manifest).rows[0][5], "-");
}

}  // namespace wordbridge::cli::hub_page_test
