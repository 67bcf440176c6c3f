#include "mapping/rerank_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "base/temporary_folder_test_support.h"
#include "mapping/mapping_format.h"
#include "mapping/mapping_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::rerank_model_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RerankModel full_model() {
  RerankModel model;
  model.families = "all";
  model.features = {{"csls", 1.0 / 3, -0.1, 0.25}, {"edit x cosine", -2e-300, 7, 1}};
  model.calibration = RerankModel::Calibration{0.5, {{"log-odds", 1.5, 0.1, 2}}, 0.25};
  model.translations =
      RerankModel::Translations{-1.5, {{"log share", 0.75, -3, 2}}, {{0.1, 0.5, 0.875}, {0.5, 0.9375, 0.25}}, 120};
  model.spelling = RerankModel::Spelling{{'a', 0x431}, {'b'}, {{{0, 255}, {0, 1}, 0.5}, {{255, 255}, {2, 255}, 1e-9}}};
  model.pairs = {{"house", "casa"}, {"l'été", "summer \"time\""}};
  return model;
}

std::string error_of(const std::string& json) {
  try {
    parse_rerank_model(json);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

std::string with(const std::string& from, const std::string& to) {
  std::string json = to_json(full_model());
  const std::size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << json;
  return json.replace(at, from.size(), to);
}

TEST(RerankModel, ComesBackBitForBit) {
  EXPECT_EQ(parse_rerank_model(to_json(full_model())), full_model());
  const RerankModel small{.features = {{"csls"}}};
  EXPECT_EQ(parse_rerank_model(to_json(small)), small);
}

TEST(RerankModel, OfTheFirstVersionHasNoSecondQuestion) {
  RerankModel before = full_model();
  before.translations.reset();
  std::string json = to_json(before);
  json.replace(json.find("\"version\":2"), 11, "\"version\":1");
  EXPECT_EQ(parse_rerank_model(json), before);
}

TEST(RerankModel, DamageIsNamed) {
  EXPECT_THAT(error_of("[]"), HasSubstr("not an object"));
  EXPECT_THAT(error_of("{"), HasSubstr("the re-ranker"));
  EXPECT_THAT(error_of("{}"), HasSubstr("version"));
  EXPECT_THAT(error_of(with("\"version\":2", "\"version\":3")), HasSubstr("its version is 3"));
  EXPECT_THAT(error_of(with("\"version\":2", "\"version\":0")), HasSubstr("its version is 0"));
  EXPECT_THAT(error_of(with("0.875", "1.875")), HasSubstr("a recall is not between 0 and 1"));
  EXPECT_THAT(error_of(with("[0.5,0.9375", "[0.1,0.9375")), HasSubstr("do not ascend"));
  EXPECT_THAT(error_of(with("\"words\":120", "\"words\":-1")), HasSubstr("the words held out"));
  EXPECT_THAT(error_of(with("0.25]", "0.0]")), HasSubstr("a deviation is not positive"));
  EXPECT_THAT(error_of(with("-0.1", "\"x\"")), HasSubstr("the re-ranker"));
  EXPECT_THAT(error_of(with("-0.1", "1e999")), HasSubstr("the re-ranker"));
  EXPECT_THAT(error_of(with("\"edit x cosine\"", "\"csls\"")), HasSubstr("stands there twice"));
  EXPECT_THAT(error_of(with("[\"csls\",", "[")), HasSubstr("a name and three numbers"));
  EXPECT_THAT(error_of(with("[[0],[0,1],0.5]", "[[5],[0,1],0.5]")), HasSubstr("outside the alphabet"));
  EXPECT_THAT(error_of(with("[[0],[0,1],0.5]", "[[-1],[0,1],0.5]")), HasSubstr("outside the alphabet"));
  EXPECT_THAT(error_of(with("[[0],[0,1],0.5]", "[[0,0,0],[0,1],0.5]")), HasSubstr("at most two letters"));
  EXPECT_THAT(error_of(with("[[0],[0,1],0.5]", "[[],[],0.5]")), HasSubstr("has no letter"));
  EXPECT_THAT(error_of(with("[[0],[0,1],0.5]", "[[0],[0,1],1.5]")), HasSubstr("above 1"));
  EXPECT_THAT(error_of(with("[[0],[0,1],0.5]", "7")), HasSubstr("two lists of letters"));
  EXPECT_THAT(error_of(with("[97,1073]", "[97,97]")), HasSubstr("twice in an alphabet"));
  EXPECT_THAT(error_of(with("[97,1073]", "[97,\"x\"]")), HasSubstr("no code point"));
  EXPECT_THAT(error_of(with("\"elsewhere\":0.25", "\"elsewhere\":2")), HasSubstr("between 0 and 1"));
  EXPECT_THAT(error_of(with("[\"house\",\"casa\"]", "[\"house\"]")), HasSubstr("not two words"));
}

TEST(RerankModel, GoesWithItsMapping) {
  const TemporaryFolder folder;
  Mapping mapping = full_mapping();
  mapping.reranker = std::make_shared<const RerankModel>(full_model());
  write_mapping(mapping, folder.path("x.wbmap"));
  const Mapping again = read_mapping(folder.path("x.wbmap"));
  ASSERT_NE(again.reranker, nullptr);
  EXPECT_EQ(*again.reranker, full_model());
  EXPECT_EQ(again.source_map(), mapping.source_map());
  EXPECT_THAT(describe_json(again), HasSubstr(R"("weights":{"csls":0.33)"));
  EXPECT_THAT(describe_json(again), Not(HasSubstr("house")));
  EXPECT_EQ(describe_json(full_mapping()).find("reranker"), std::string::npos);
}

TEST(RerankModel, DamagedOnesAreRefusedWithTheMapping) {
  Mapping mapping = small_mapping();
  RerankModel model = full_model();
  model.features[0].deviation = -1;
  mapping.reranker = std::make_shared<const RerankModel>(model);
  const TemporaryFolder folder;
  write_mapping(mapping, folder.path("x.wbmap"));
  try {
    read_mapping(folder.path("x.wbmap"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the re-ranker: a deviation is not positive"));
  }
}

}  // namespace
}  // namespace wordbridge::rerank_model_test
