#include "base/resumable_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::resumable_file_test {
namespace {

class Resumable : public ::testing::Test {
 protected:
  std::string path() const { return folder_.path("out"); }
  /// A run that writes these bytes, keeps them, writes others and is killed.
  void run_and_die(const std::string& kept, const std::string& lost, const std::string& key = "work") {
    ResumableFile file(path(), key);
    file.write(kept.data(), kept.size());
    file.keep();
    file.write(lost.data(), lost.size());
  }
  TemporaryFolder folder_;
};

TEST_F(Resumable, GoesOnBehindWhatWasKept) {
  run_and_die("abc", "lost");
  EXPECT_FALSE(folder_.has("out"));
  EXPECT_EQ(folder_.read("out.unfinished"), "abclost");
  run_and_die("def", "lost again");
  ResumableFile file(path(), "work");
  EXPECT_EQ(file.size(), 6U);
  file.write("g", 1);
  file.overwrite(0, "A");
  file.commit();
  EXPECT_EQ(folder_.read("out"), "Abcdefg");
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(Resumable, WhoEndsOrderlyKeepsAllWhereALaterRunCouldBegin) {
  {
    ResumableFile file(path(), "work");
    file.write("abc", 3);
    file.keep_now_and_then();
    EXPECT_EQ(folder_.read("out.unfinished.state").back(), '\n');
    EXPECT_THAT(folder_.read("out.unfinished.state"), ::testing::EndsWith(" 0\n")) << "not worth it yet";
    file.write("half", 4);
  }
  EXPECT_EQ(ResumableFile(path(), "work").size(), 3U);
}

TEST_F(Resumable, OtherWorkIsNotContinued) {
  run_and_die("abc", "");
  EXPECT_THROW(ResumableFile(path(), "other work"), UsageError);
  EXPECT_EQ(ResumableFile(path(), "work").size(), 3U) << "and nothing happened to it";
}

TEST_F(Resumable, TwoProcessesCannotWriteIt) {
  const ResumableFile file(path(), "work");
  EXPECT_THROW(ResumableFile(path(), "work"), UsageError);
}

TEST_F(Resumable, WhatIsDamagedBeginsAnew) {
  run_and_die("abc", "");
  const std::string state = folder_.read("out.unfinished.state");
  for (std::size_t length = 0; length + 1 < state.size(); ++length) {
    folder_.write("out.unfinished.state", state.substr(0, length));
    EXPECT_EQ(ResumableFile(path(), "work").size(), 0U) << length;
    folder_.write("out.unfinished", "abc");
  }
  folder_.write("out.unfinished.state", state);
  folder_.write("out.unfinished", "ab");  // shorter than the state says
  EXPECT_EQ(ResumableFile(path(), "work").size(), 0U);
}

TEST_F(Resumable, CanBeginAnew) {
  run_and_die("abc", "");
  ResumableFile file(path(), "work");
  file.restart();
  EXPECT_EQ(file.size(), 0U);
  file.write("x", 1);
  file.commit();
  EXPECT_EQ(folder_.read("out"), "x");
}

TEST_F(Resumable, AnOlderFileKeepsItsModeAndIsReplacedAtTheEnd) {
  folder_.write("out", "old");
  ::chmod(path().c_str(), 0600);
  ResumableFile file(path(), "work");
  file.write("new", 3);
  EXPECT_EQ(folder_.read("out"), "old");
  file.commit();
  EXPECT_EQ(folder_.read("out"), "new");
  EXPECT_EQ(std::filesystem::status(path()).permissions(), std::filesystem::perms(0600));
}

TEST_F(Resumable, IsAPlainFileInAFolderThatIsThere) {
  EXPECT_THROW(ResumableFile("-", "work"), UsageError);
  EXPECT_THROW(ResumableFile("/dev/null", "work"), UsageError);
  EXPECT_THROW(ResumableFile(folder_.path("none/out"), "work"), IoError);
}

}  // namespace
}  // namespace wordbridge::resumable_file_test
