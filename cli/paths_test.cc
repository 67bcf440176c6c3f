#include "cli/paths.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <vector>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::cli::paths_test {
namespace {

using Paths = std::vector<std::string>;

TEST(Paths, StandardInputCanBeReadOnce) {
  EXPECT_NO_THROW(require_one_standard_input({"a", "-", "b", ""}));
  EXPECT_THROW(require_one_standard_input({"-", "b", "-"}), UsageError);
}

TEST(Paths, AnOutputThatIsAnInputIsRefusedByAnyName) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.vec", "x");
  const std::string link = folder.path("link.vec"), hard = folder.path("hard.vec");
  std::filesystem::create_symlink(file, link);
  std::filesystem::create_hard_link(file, hard);
  for (const std::string& name : {file, link, hard, folder.path("./a.vec")})
    EXPECT_THROW(refuse_overwriting(name, Paths{"", folder.path("other"), file}), UsageError) << name;
  EXPECT_NO_THROW(refuse_overwriting(folder.path("new.vec"), Paths{file}));
  EXPECT_NO_THROW(refuse_overwriting("", Paths{file}));
  EXPECT_NO_THROW(refuse_overwriting(folder.write("b.vec", "y"), Paths{file, "-"}));
}

TEST(Paths, TablesBringTheirWords) {
  const TemporaryFolder folder;
  const std::string table = folder.write("a.npy", "x"), words = folder.write("a.vocab", "x");
  EXPECT_THROW(refuse_overwriting(words, Paths{table}), UsageError);
  EXPECT_THROW(refuse_overwriting(folder.path("a.npy"), Paths{words}), UsageError);
  EXPECT_NO_THROW(refuse_overwriting(folder.path("b.npy"), Paths{table, words}));
}

TEST(Paths, OutputsThatAreOneFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(refuse_same_output(folder.path("a"), folder.path("./a")), UsageError);
  EXPECT_NO_THROW(refuse_same_output(folder.path("a"), folder.path("b")));
  EXPECT_NO_THROW(refuse_same_output("", ""));
}

TEST(Paths, NamesOfMappings) {
  for (const char* good : {"m.wbmap", "m", "folder.vec/m", "en-es.v2", "/dev/stdout"})
    EXPECT_NO_THROW(require_mapping_name(good)) << good;
  for (const char* bad : {"m.vec", "m.wbmap.gz", "m.vec.xz", "a/m.npy", "m.tsv"})
    EXPECT_THROW(require_mapping_name(bad), UsageError) << bad;
}

TEST(Paths, KnowsWhatCanBeReadTwice) {
  const TemporaryFolder folder;
  EXPECT_TRUE(can_be_read_twice(folder.write("a.vec", "x")));
  EXPECT_TRUE(can_be_read_twice(folder.path("missing"))) << "so that its absence is found early";
  EXPECT_FALSE(can_be_read_twice("-"));
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(can_be_read_twice(folder.path("pipe")));
}

TEST(Paths, NamesForPeople) {
  EXPECT_EQ(file_name("/data/wiki.en.vec"), "wiki.en.vec");
  EXPECT_EQ(file_name("-"), "standard input");
}

}  // namespace
}  // namespace wordbridge::cli::paths_test
