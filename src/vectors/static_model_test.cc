#include "vectors/static_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::static_model_test {
namespace {

struct Language {
  Vocabulary words;
  Matrix vectors;
  StaticLanguage view() const { return {&words, vectors}; }
};

Language language(const std::vector<std::string>& words, const std::vector<float>& values) {
  Language result{Vocabulary(words), Matrix(words.size(), 2)};
  std::ranges::copy(values, result.vectors.data());
  return result;
}

TEST(StaticModel, IsReadBackWithItsWords) {
  const Language en = language({"the", "house", "no"}, {2, 0, 0, 3, 3, 4}), es = language({"no", "casa"}, {1, 0, 0, 1});
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  const StaticModelSummary summary = write_static_model({en.view(), es.view()}, path, {.smooth = 0});
  EXPECT_EQ(summary.words, 4u);
  EXPECT_EQ(summary.shared, 1u);
  EXPECT_EQ(summary.left_out, 0u);
  EXPECT_TRUE(summary.lower_case);

  const WordVectors model = read_vectors(path + "/model.safetensors");
  EXPECT_TRUE(model.vocabulary() == Vocabulary(std::vector<std::string>{"[UNK]", "the", "house", "no", "casa"}));
  Matrix expected(5, 2);
  std::ranges::copy(std::vector<float>{0, 0, 1, 0, 0, 1, 0.8F, 0.4F, 0, 1}, expected.data());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(model.table().data()[i], expected.data()[i], 1e-7);
}

TEST(StaticModel, RareWordsCountMore) {
  const Language en = language({"the", "of", "house"}, {1, 0, 1, 0, 1, 0});
  const TemporaryFolder folder;
  write_static_model({en.view()}, folder.path("model"), {.smooth = 0.1});
  const WordVectors model = read_vectors(folder.path("model/model.safetensors"));
  const double harmonic = 1 + 1 / 2.0 + 1 / 3.0;
  for (int rank = 0; rank < 3; ++rank)
    EXPECT_NEAR(model.table()(static_cast<std::size_t>(rank) + 1, 0), 0.1 / (0.1 + 1 / ((rank + 1) * harmonic)), 1e-7);
}

TEST(StaticModel, TheTokenizerHasEveryWordByItsRow) {
  const Language de = language({"Haus", "das \"\\", "straße"}, {1, 0, 0, 1, 1, 1});
  const TemporaryFolder folder;
  EXPECT_FALSE(write_static_model({de.view()}, folder.path("model"), {.blanks = true}).lower_case);
  const Json tokenizer = Json::parse(folder.read("model/tokenizer.json"));
  EXPECT_TRUE(tokenizer.at("normalizer").is_null());
  EXPECT_EQ(tokenizer.at("pre_tokenizer").at("type").text(), "WhitespaceSplit");
  const Json& model = tokenizer.at("model");
  EXPECT_EQ(model.at("type").text(), "WordLevel");
  EXPECT_EQ(model.at("unk_token").text(), "[UNK]");
  EXPECT_EQ(model.at("vocab"), (Json{{"[UNK]", 0}, {"Haus", 1}, {"das \"\\", 2}, {"straße", 3}}));
  EXPECT_EQ(Json::parse(folder.read("model/config.json")).at("hidden_dim").get<int>(), 2);
  EXPECT_EQ(Json::parse(folder.read("model/modules.json")).at(std::size_t{0}).at("path").text(), ".");
}

TEST(StaticModel, WordsThatAreNoTextAreLeftOut) {
  const Language en = language({"a\xff", "b", "[UNK]"}, {1, 0, 0, 1, 1, 1});
  const TemporaryFolder folder;
  const StaticModelSummary summary = write_static_model({en.view()}, folder.path("model"), {});
  EXPECT_EQ(summary.words, 1u);
  EXPECT_EQ(summary.left_out, 2u);
  EXPECT_TRUE(Json::accept(folder.read("model/tokenizer.json")));
}

TEST(StaticModel, WrongUses) {
  const Language en = language({"b"}, {1, 0});
  const Language other{Vocabulary(std::vector<std::string>{"x"}), Matrix(1, 3)};
  const TemporaryFolder folder;
  EXPECT_THROW(write_static_model({en.view(), other.view()}, folder.path("m"), {}), UsageError);
  EXPECT_THROW(write_static_model({en.view()}, folder.path("m"), {.smooth = -1}), UsageError);
  EXPECT_THROW(write_static_model({language({"\xff"}, {1, 0}).view()}, folder.path("m"), {}), UsageError);
  EXPECT_FALSE(folder.has("m/model.safetensors"));
  folder.write("file", "");
  EXPECT_THROW(write_static_model({en.view()}, folder.path("file"), {}), IoError);
}

}  // namespace
}  // namespace wordbridge::static_model_test
