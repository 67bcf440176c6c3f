#include "experiments/cell_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder_test_support.h"
#include "lexicon/word_pairs.h"
#include "wordbridge/error.h"

namespace wordbridge::cell_settings_test {

namespace {

using ::testing::ElementsAre;

TEST(CellSettings, ByTheirMeaning) {
  const CellSettings settings({{"source", "en"},
                               {"neighbors", "12"},
                               {"reversed", "true"},
                               {"no_identical", "false"},
                               {"questions", " {source}.txt  more.txt "},
                               {"scale", "1.5"},
                               {"train_words", "-1"}});
  EXPECT_EQ(settings.text("source"), "en");
  EXPECT_EQ(settings.text("criterion", "csls"), "csls");
  EXPECT_EQ(settings.count("neighbors", 10), 12);
  EXPECT_EQ(settings.count("max_words", 7), 7);
  EXPECT_EQ(settings.max_words(), 200'000);
  EXPECT_TRUE(settings.is_true("reversed"));
  EXPECT_FALSE(settings.is_true("no_identical"));
  EXPECT_FALSE(settings.is_true("average_phrases"));
  EXPECT_THAT(settings.words("questions"), ElementsAre("en.txt", "more.txt"));
  EXPECT_THROW(settings.count("scale", 1), UsageError);
  EXPECT_THROW(settings.count("train_words", 1), UsageError);
}

TEST(CellSettings, Files) {
  const TemporaryFolder folder;
  const std::string path = folder.write("wiki.en.vec", "");
  const DataFiles files(folder.path(""));
  const CellSettings settings(
      {{"source", "en"}, {"source_vectors", "wiki.{source}.vec"}, {"train", "none.txt"}, {"test", "{other}.txt"}});
  EXPECT_EQ(DataFiles(folder.path("")).find("wiki.en.vec"), settings.file("source_vectors", files));
  EXPECT_THROW(settings.file("train", files), MissingFile);
  EXPECT_THROW(settings.file("test", files), UsageError) << "names a setting that is not there";
  EXPECT_THROW(settings.file("target_vectors", files), UsageError);
}

using Pair = WordPairs::Pair;

struct TrainingLexiconTest : ::testing::Test {
  ~TrainingLexiconTest() override { std::filesystem::remove_all(folder.path("cache")); }
  std::vector<Pair> pairs(ExperimentSettings settings) {
    settings["train"] = "train.txt";
    const DataFiles files(folder.path(""));
    return read_word_pairs(training_lexicon(CellSettings(std::move(settings)), files, cache)).pairs;
  }
  TemporaryFolder folder;
  std::string train = folder.write("train.txt", "a x\na y\nb z\nc\tNew York\n");
  std::string test = folder.write("test.txt", "b w\n");
  ResultCache cache{folder.path("cache"), false};
};

TEST_F(TrainingLexiconTest, AsItIs) {
  const DataFiles files(folder.path(""));
  EXPECT_EQ(training_lexicon(CellSettings(ExperimentSettings{{"train", "train.txt"}}), files, cache),
            files.find("train.txt"));
}

TEST_F(TrainingLexiconTest, Parts) {
  EXPECT_THAT(pairs({{"train_words", "2"}}), ElementsAre(Pair{"a", "x"}, Pair{"a", "y"}, Pair{"b", "z"}));
  EXPECT_THAT(pairs({{"train_without", "test.txt"}}),
              ElementsAre(Pair{"a", "x"}, Pair{"a", "y"}, Pair{"c", "New York"}));
  EXPECT_THAT(pairs({{"train_without", "test.txt"}, {"train_words", "1"}}),
              ElementsAre(Pair{"a", "x"}, Pair{"a", "y"}));
}

TEST_F(TrainingLexiconTest, WrongTargetsArePassedAround) {
  const auto right = pairs({}), half = pairs({{"train_wrong", "50"}}), all = pairs({{"train_wrong", "100"}});
  std::size_t wrong_of_half = 0;
  std::vector<std::string> targets;
  for (std::size_t i = 0; i < right.size(); ++i) {
    wrong_of_half += half[i] != right[i];
    EXPECT_EQ(half[i].source, right[i].source);
    EXPECT_NE(all[i].target, right[i].target);
    targets.push_back(all[i].target);
  }
  EXPECT_EQ(wrong_of_half, 2u);
  EXPECT_THAT(targets, ::testing::UnorderedElementsAre("x", "y", "z", "New York"));
  EXPECT_THROW(pairs({{"train_wrong", "101"}}), UsageError);
}

TEST_F(TrainingLexiconTest, Reversed) {
  EXPECT_THAT(pairs({{"reversed", "true"}, {"train_words", "1"}}), ElementsAre(Pair{"x", "a"}, Pair{"y", "a"}));
  EXPECT_EQ(reversed_if_asked(CellSettings(ExperimentSettings()), test, cache), test);
}

TEST_F(TrainingLexiconTest, PartsHaveNamesByWhatTheyAreMadeOf) {
  const DataFiles files(folder.path(""));
  const auto path = [&](const std::string& words) {
    return training_lexicon(CellSettings(ExperimentSettings{{"train", "train.txt"}, {"train_words", words}}), files,
                            cache);
  };
  const std::string one = path("1");
  EXPECT_EQ(path("1"), one);
  EXPECT_NE(path("2"), one);
  folder.write("train.txt", "d v\n");
  EXPECT_NE(path("1"), one);
}

TEST_F(TrainingLexiconTest, Missing) {
  EXPECT_THROW(pairs({{"train_without", "nobody.txt"}}), MissingFile);
  EXPECT_THROW(pairs({{"train_words", "many"}}), UsageError);
}

}  // namespace

}  // namespace wordbridge::cell_settings_test
