#include "experiments/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder_test_support.h"
#include "mapping/mapping_format.h"
#include "wordbridge/error.h"

namespace wordbridge::data_files_test {

namespace {

using ::testing::ElementsAre;
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

struct Reads : ExperimentObserver {
  void read_vectors(const ReadSummary& summary, double) override { rows.push_back(summary.rows); }
  std::vector<std::uint64_t> rows;
};

struct LoadedVectorsTest : ::testing::Test {
  TemporaryFolder folder;
  std::string en = folder.write("en.vec", "3 2\na 1 0\nb 0 1\nc 1 1\n");
  std::string es = folder.write("es.vec", "2 2\nx 1 0\ny 0 1\n");
  std::string wide = folder.write("wide.vec", "1 3\nz 1 0 0\n");
  Reads reads;
  LoadedVectors loaded{reads};
};

TEST_F(LoadedVectorsTest, TablesAreReadOnce) {
  const auto first = loaded.vectors(en, 0);
  EXPECT_EQ(loaded.vectors(en, 0), first);
  EXPECT_EQ(loaded.vectors(en, 2)->size(), 2);
  loaded.vectors(es, 0);
  EXPECT_EQ(loaded.vectors(en, 0), first);
  EXPECT_THAT(reads.rows, ElementsAre(3, 2, 2));
}

TEST_F(LoadedVectorsTest, TheOneThatWaitedLongestGoes) {
  for (const std::size_t words : {1, 2, 3}) loaded.vectors(en, words);
  loaded.vectors(en, 1);
  loaded.vectors(es, 1);  // in the place of en with 2 words
  loaded.vectors(en, 1);
  loaded.vectors(en, 3);
  EXPECT_THAT(reads.rows, ElementsAre(1, 2, 3, 1));
  loaded.vectors(en, 2);
  EXPECT_EQ(reads.rows.size(), 5);
}

TEST_F(LoadedVectorsTest, SpacesWithAndWithoutAMapping) {
  Matrix swap(2, 2);
  swap(0, 1) = swap(1, 0) = 1;
  const std::string path = folder.path("m.wbmap");
  write_mapping(Mapping(swap, {}, {}), path);
  const CommonSpace plain = loaded.space({en, es, 0, "", ""});
  EXPECT_EQ(plain.table(Side::source)(0, 0), 1);
  const CommonSpace mapped = loaded.space({en, es, 0, "key", path});
  EXPECT_EQ(mapped.table(Side::source)(0, 0), 0);
  EXPECT_EQ(mapped.table(Side::source)(0, 1), 1);
  EXPECT_EQ(mapped.table(Side::target)(0, 0), 1);
  EXPECT_EQ(loaded.space({en, es, 0, "key", path}).table(Side::source).data(), mapped.table(Side::source).data());
  EXPECT_EQ(loaded.space_of_one({en, "", 0, "key", path}).table(Side::source)(0, 1), 1);
  EXPECT_EQ(loaded.space_of_one({en, "", 0, "", ""}).table(Side::source)(0, 1), 0);
  EXPECT_EQ(reads.rows.size(), 2);
}

TEST_F(LoadedVectorsTest, VectorsThatShareNoSpace) { EXPECT_THROW(loaded.space({en, wide, 0, "", ""}), UsageError); }

}  // namespace

}  // namespace wordbridge::data_files_test
