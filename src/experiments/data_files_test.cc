#include "experiments/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder_test_support.h"

namespace wordbridge::data_files_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

struct DataFilesTest : ::testing::Test {
  ~DataFilesTest() override {
    for (const char* name : {"b", "a"}) std::filesystem::remove_all(folder.path(name));
  }
  void write(const std::string& name) {
    std::filesystem::create_directories(std::filesystem::path(folder.path(name)).parent_path());
    folder.write(name, "x");
  }
  TemporaryFolder folder;
};

TEST_F(DataFilesTest, FindsFilesWhereverTheyAre) {
  write("b/deep/wiki.en.vec");
  write("a/wiki.es.vec.gz");
  write("a/wiki.de.wbvec");
  write("b/x.txt");
  write("a/x.txt");
  DataFiles files(folder.path(""));
  EXPECT_THAT(files.find("wiki.en.vec"), EndsWith("b/deep/wiki.en.vec"));
  EXPECT_THAT(files.find("wiki.es.vec"), EndsWith("a/wiki.es.vec.gz"));
  EXPECT_THAT(files.find("wiki.de.vec"), EndsWith("a/wiki.de.wbvec"));
  EXPECT_THAT(files.find("x.txt"), EndsWith("a/x.txt")) << "the first by its path";
  EXPECT_THAT(files.find("b/x.txt"), EndsWith("b/x.txt"));
  EXPECT_THROW(files.find("c/x.txt"), MissingFile);
}

TEST_F(DataFilesTest, SaysWhereMissingFilesArePublished) {
  DataFiles files(folder.path(""));
  files.read_sources(folder.write("sources.json", R"([{"files": "wiki.multi.*.vec", "from": "there"},
                                                      {"files": "wiki.*.vec", "from": "here"}])"));
  const auto message = [&](const std::string& name) {
    try {
      files.find(name);
    } catch (const MissingFile& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("wiki.fr.vec"), "missing: wiki.fr.vec (here)");
  EXPECT_EQ(message("wiki.multi.fr.vec"), "missing: wiki.multi.fr.vec (there)");
  EXPECT_EQ(message("else"), "missing: else");
  EXPECT_THROW(files.read_sources(folder.write("bad.json", "{")), InputError);
}

TEST_F(DataFilesTest, SourcesThatAreNone) {
  DataFiles files(folder.path(""));
  for (const char* text :
       {"", "3", "{\"files\": \"x\"}", "[1, 2]", "[{\"files\": 3}]", "[[]]", "\xff", "[{\"files\": \"x\"}"})
    EXPECT_THROW(files.read_sources(folder.write("bad.json", text)), InputError) << text;
  EXPECT_THROW(files.read_sources(folder.write("bad.json", std::string((16 << 20) + 1, ' '))), InputError);
}

TEST_F(DataFilesTest, LinksThatLeadInCirclesAreWalkedOnce) {
  write("a/x.txt");
  for (const char* name : {"a/one", "a/two", "a/three"})
    std::filesystem::create_directory_symlink(".", folder.path(name));
  EXPECT_THAT(DataFiles(folder.path("")).find("x.txt"), HasSubstr("x.txt"));
}

TEST_F(DataFilesTest, MissingFolder) { EXPECT_THROW(DataFiles(folder.path("nowhere")), InputError); }

}  // namespace
}  // namespace wordbridge::data_files_test
