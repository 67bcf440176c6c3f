#include "experiments/cell_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder_test_support.h"

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

}  // namespace
}  // namespace wordbridge::cell_settings_test
