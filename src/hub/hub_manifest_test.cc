#include "hub/hub_manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::hub_manifest_test {

HubManifest example() {
  HubManifest manifest;
  manifest.version = "0.1.0";
  manifest.pivot = "en";
  manifest.normalization = "unit";
  manifest.seed = 7;
  manifest.max_words = 200;
  manifest.recommended = HubMaps::joint;
  manifest.languages = {{"en", "en.vec", "vectors/en.wbvec", 3, 2, "aa", "", "", "", "", {}},
                        {"es", "es.vec", "/x/es.wbvec", 4, 2, "bb", "joint/es.wbmap", "cc", "joint", "5 pairs", {"w"}}};
  manifest.failed = {{"fr", "there is no lexicon"}};
  DirectionRecord record{.origin = "given", .problem = {}, .words = 10, .covered = 8, .precision = {50, 75, 87.5}};
  record.selection = 40;
  record.selection_words = 5;
  record.bands = {{1000, 8, 50}};
  record.hubness = HubnessRecord{"csls", 8, 1.5, 3, 12.5, {{"0", 2}, {"1", 6}}, {"casa"}};
  manifest.scores[HubMaps::star][{"es", "en"}] = record;
  record.precision[0] = 60;
  manifest.scores[HubMaps::joint][{"es", "en"}] = record;
  record.problem = "no word is covered";
  manifest.scores[HubMaps::joint][{"en", "es"}] = record;
  manifest.comparison = HubComparison{2, 30, 31, 40, 41, 1};
  return manifest;
}

TEST(HubManifest, ComesBackFromItsText) {
  const std::string text = to_json(example());
  EXPECT_EQ(to_json(parse_manifest(text, "manifest.json")), text);
  const HubManifest manifest = parse_manifest(text, "manifest.json");
  EXPECT_EQ(manifest.find("es")->mapping, "joint/es.wbmap");
  EXPECT_EQ(manifest.find("fr"), nullptr);
  EXPECT_EQ(manifest.failed.at("fr"), "there is no lexicon");
  EXPECT_EQ(manifest.comparison->joint, 31);
}

TEST(HubManifest, ScoresAreThoseOfTheMapsThatAreRecommended) {
  HubManifest manifest = example();
  ASSERT_NE(manifest.score("es", "en"), nullptr);
  EXPECT_EQ(manifest.score("es", "en")->precision[0], 60);
  EXPECT_EQ(manifest.score("en", "es"), nullptr);  // it could not be measured
  EXPECT_EQ(manifest.mean_precision(HubMaps::joint), 60);
  EXPECT_EQ(manifest.mean_precision(HubMaps::star), 50);
  manifest.scores.clear();
  EXPECT_LT(manifest.mean_precision(HubMaps::star), 0);
}

TEST(HubManifest, OtherTextsAreRefused) {
  for (const std::string text : {"", "{}", "[]", "{\"kind\": \"wordbridge hub\"}", "{\"kind\": 3}"})
    EXPECT_THROW(parse_manifest(text, "manifest.json"), InputError) << text;
  std::string newer = to_json(example());
  newer.replace(newer.find("\"format\": 1"), 11, "\"format\": 9");
  EXPECT_THROW(parse_manifest(newer, "manifest.json"), InputError);
  const std::string text = to_json(example());
  for (std::size_t length = 0; length + 1 < text.size(); length += 7)
    EXPECT_THROW(parse_manifest(text.substr(0, length), "manifest.json"), InputError);
}

TEST(HubRecords, ComeBackFromTheirTexts) {
  const TableRecord table{"k", "vectors/es.wbvec", 100, 3, 2, "cc"};
  EXPECT_EQ(to_record(*parse_table_record(to_record(table))), to_record(table));
  const AlignedRecord aligned{"k", "m", "rcsls", "5 pairs", {"careful"}};
  EXPECT_EQ(to_record(*parse_aligned_record(to_record(aligned))), to_record(aligned));
  const PairRecord pair{"k", example().scores[HubMaps::star][{"es", "en"}], {}};
  EXPECT_EQ(to_record(*parse_pair_record(to_record(pair))), to_record(pair));
  for (const std::string text : {"", "{", "[]", "{\"key\": 3}"}) {
    EXPECT_FALSE(parse_table_record(text).has_value());
    EXPECT_FALSE(parse_aligned_record(text).has_value());
    EXPECT_FALSE(parse_pair_record(text).has_value());
  }
}

}  // namespace wordbridge::hub_manifest_test
