#include "base/temporary_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::temporary_file_test {
namespace {

/// With files without names where the file system has them, and as if it had none.
struct TemporaryFileTest : ::testing::TestWithParam<bool> {
  TemporaryFileTest() { TemporaryFile::always_use_names(GetParam()); }
  ~TemporaryFileTest() override { TemporaryFile::always_use_names(false); }
  TemporaryFolder folder;
};

void write(const TemporaryFile& file, std::string_view text) {
  ASSERT_EQ(::write(file.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

/// Runs the body in a child process, which then kills itself.
void in_killed_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
}

TEST_P(TemporaryFileTest, AppearsInItsPlaceWhole) {
  TemporaryFile file(folder.path(""), "out");
  write(file, "hello");
  EXPECT_FALSE(folder.has("out"));
  file.move_to(folder.path("out"));
  EXPECT_EQ(folder.read("out"), "hello");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(TemporaryFileTest, TakesThePlaceOfAnother) {
  folder.write("out", "older");
  TemporaryFile file(folder.path(""), "out");
  write(file, "newer");
  EXPECT_EQ(folder.read("out"), "older");
  file.move_to(folder.path("out"));
  EXPECT_EQ(folder.read("out"), "newer");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(TemporaryFileTest, GoesWithItsObject) {
  { write(TemporaryFile(folder.path(""), "out"), "half"); }
  EXPECT_EQ(folder.files(), 0u);
}

TEST_P(TemporaryFileTest, WhatAKilledProcessLeftIsSweptAwayByTheNext) {
  in_killed_child([&] { write(TemporaryFile(folder.path(""), "out"), "half"); });
  in_killed_child([&] {
    const TemporaryFile file(folder.path(""), "out");
    write(file, "half");
    ::kill(::getpid(), SIGKILL);  // before the destructor
  });
  EXPECT_LE(folder.files(), GetParam() ? 1u : 0u);
  TemporaryFile(folder.path(""), "out").move_to(folder.path("out"));
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(TemporaryFileTest, WhatLivingProcessesHoldAndWhatIsNotOursStays) {
  int ready[2], go[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(go), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    TemporaryFile::always_use_names(true);
    TemporaryFile file(folder.path(""), "other");
    write(file, "other");
    char byte = 1;
    if (::write(ready[1], &byte, 1) != 1 || ::read(go[0], &byte, 1) != 1) ::_exit(1);
    file.move_to(folder.path("other"));
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  folder.write(".wordbridge-00000000000000000000000000000000-12-0.tmp", "of another machine, or another boot");
  folder.write(".wordbridge-7-0.tmp", "of nobody knows whom");
  TemporaryFile(folder.path(""), "out").move_to(folder.path("out"));
  ASSERT_EQ(::write(go[1], &byte, 1), 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(folder.read("other"), "other");
  EXPECT_EQ(folder.files(), 4u);
  for (const int descriptor : {ready[0], ready[1], go[0], go[1]}) ::close(descriptor);
}

TEST_P(TemporaryFileTest, RemovedOnesCannotBeMoved) {
  folder.write("out", "older");
  TemporaryFile file(folder.path(""), "out");
  TemporaryFile::remove_all();
  EXPECT_THROW(file.move_to(folder.path("out")), IoError);
  EXPECT_EQ(folder.read("out"), "older");
  EXPECT_EQ(folder.files(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Names, TemporaryFileTest, ::testing::Bool(),
                         [](const auto& instance) { return instance.param ? "Named" : "Nameless"; });

}  // namespace
}  // namespace wordbridge::temporary_file_test
