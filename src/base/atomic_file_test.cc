#include "base/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::atomic_file_test {

namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

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

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Runs the body in a child process, which a test may let die; its exit code, or minus the signal that ended it.
int in_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

fs::perms mode_of(const std::string& path) { return fs::status(path).permissions(); }

TEST(AtomicFile, AppearsWholeAtCommitAndNotBefore) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("out"));
  file.write("hello ");
  file.write("world");
  EXPECT_EQ(file.size(), 11u);
  EXPECT_FALSE(folder.has("out"));
  file.commit();
  EXPECT_EQ(folder.read("out"), "hello world");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, WithoutCommitNothingIsLeft) {
  const TemporaryFolder folder;
  { AtomicFile(folder.path("out")).write("half of it"); }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(AtomicFile, AnExceptionLeavesTheOlderFileAsItWas) {
  const TemporaryFolder folder;
  folder.write("out", "older");
  try {
    AtomicFile file(folder.path("out"));
    file.write("newer");
    throw std::runtime_error("something else went wrong");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(folder.read("out"), "older");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, AnOlderFileIsReplaced) {
  const TemporaryFolder folder;
  folder.write("out", "much longer than what comes");
  AtomicFile file(folder.path("out"));
  file.write("new");
  file.commit();
  EXPECT_EQ(folder.read("out"), "new");
}

TEST(AtomicFile, AnEmptyFileIsAFile) {
  const TemporaryFolder folder;
  AtomicFile(folder.path("out")).commit();
  EXPECT_TRUE(folder.has("out"));
  EXPECT_EQ(folder.read("out"), "");
}

TEST(AtomicFile, PiecesOfAnySizeAroundTheBuffer) {
  const TemporaryFolder folder;
  const std::size_t buffer = std::size_t{1} << 20;
  std::string expected;
  AtomicFile file(folder.path("out"));
  for (const std::size_t size : {std::size_t{1}, buffer - 1, std::size_t{1}, buffer, buffer + 1, std::size_t{0},
                                 std::size_t{7}, 3 * buffer, std::size_t{5}}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 23));
    file.write(piece);
    expected += piece;
    EXPECT_EQ(file.size(), expected.size());
  }
  file.commit();
  EXPECT_TRUE(folder.read("out") == expected);
}

TEST(AtomicFile, BytesCanBeMended) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("out"));
  file.write("0000 rows and then rows");
  file.overwrite(0, "1234", 4);
  file.write(", more rows");
  file.overwrite(5, "ROWS", 4);
  file.commit();
  EXPECT_EQ(folder.read("out"), "1234 ROWS and then rows, more rows");
}

TEST(AtomicFile, AHeaderMayOutgrowItsPlace) {
  const TemporaryFolder folder;
  const std::string rows = std::string(1'500'000, 'r') + std::string(1'500'000, 's');  // longer than the buffer
  AtomicFile file(folder.path("out"));
  file.write("9 5\n" + rows);
  file.splice(0, 1, "10");
  file.splice(0, 2, "12345");
  EXPECT_EQ(file.size(), 8 + rows.size());
  file.write("and more");
  file.commit();
  EXPECT_TRUE(folder.read("out") == "12345 5\n" + rows + "and more");
}

TEST(AtomicFile, ANewFileGetsTheUsualModeAndAnOldOneKeepsItsOwn) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(027);
  AtomicFile(folder.path("new")).commit();
  folder.write("old", "");
  fs::permissions(folder.path("old"), fs::perms(0604));
  AtomicFile(folder.path("old")).commit();
  ::umask(mask);
  EXPECT_EQ(mode_of(folder.path("new")), fs::perms(0640));
  EXPECT_EQ(mode_of(folder.path("old")), fs::perms(0604));
}

TEST(AtomicFile, ALinkStaysALink) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path("elsewhere"));
  folder.write("elsewhere/file", "older");
  fs::create_symlink("elsewhere/file", folder.path("relative"));
  fs::create_symlink(folder.path("relative"), folder.path("chain"));
  AtomicFile file(folder.path("chain"));
  file.write("newer");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.path("chain")));
  EXPECT_TRUE(fs::is_symlink(folder.path("relative")));
  EXPECT_FALSE(fs::is_symlink(folder.path("elsewhere/file")));
  EXPECT_EQ(folder.read("elsewhere/file"), "newer");
}

TEST(AtomicFile, ALinkToNothingYetIsFollowedToo) {
  const TemporaryFolder folder;
  fs::create_symlink("not-yet", folder.path("link"));
  AtomicFile file(folder.path("link"));
  file.write("now");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.read("not-yet"), "now");
}

TEST(AtomicFile, ALoopOfLinksIsAnError) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder.path("a"));
  fs::create_symlink("a", folder.path("b"));
  EXPECT_THAT(error_of([&] { AtomicFile(folder.path("a")).commit(); }), HasSubstr("cannot write: Too many levels"));
  EXPECT_EQ(folder.files(), 2u);
}

TEST(AtomicFile, TheLongestNameIsPossible) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  AtomicFile(folder.path(name)).commit();
  EXPECT_TRUE(folder.has(name));
}

TEST(AtomicFile, TwoOfOneNameDoNotMix) {
  const TemporaryFolder folder;
  AtomicFile first(folder.path("out")), second(folder.path("out"));
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(folder.read("out"), "first");
  second.commit();
  EXPECT_EQ(folder.read("out"), "second");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, ErrorsComeBeforeTheWork) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path("folder"));
  EXPECT_THAT(error_of([&] { AtomicFile(folder.path("folder")); }), EndsWith("folder: cannot write: Is a directory"));
  EXPECT_THAT(error_of([&] { AtomicFile(folder.path("missing/out")); }),
              EndsWith("missing/out: cannot create: No such file or directory"));
  EXPECT_THAT(error_of([] { AtomicFile(""); }), ": cannot write: No such file or directory");
  if (::geteuid() == 0) return;  // root may write everywhere
  fs::permissions(folder.path("folder"), fs::perms(0555));
  EXPECT_THAT(error_of([&] { AtomicFile(folder.path("folder/out")); }), HasSubstr("Permission denied"));
  fs::permissions(folder.path("folder"), fs::perms(0755));
}

TEST(AtomicFile, DevicesAndPipesGetTheBytesAtCommit) {
  const TemporaryFolder folder;
  AtomicFile null("/dev/null");
  EXPECT_TRUE(null.is_stream());
  null.write("nobody reads this");
  null.commit();
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const int reader = ::open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  AtomicFile pipe(folder.path("pipe"));
  pipe.write("9 rows");
  pipe.overwrite(0, "8", 1);
  pipe.splice(0, 1, "10");
  char bytes[16] = {};
  EXPECT_EQ(::read(reader, bytes, sizeof(bytes)), -1) << "nothing came yet";
  pipe.commit();
  EXPECT_EQ(::read(reader, bytes, sizeof(bytes)), 7);
  EXPECT_STREQ(bytes, "10 rows");
  ::close(reader);
  EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, ADeviceThatIsFullIsAnError) {
  AtomicFile file("/dev/full");
  file.write("x");
  EXPECT_THAT(error_of([&] { file.commit(); }), "/dev/full: cannot write: No space left on device");
}

TEST(AtomicFile, AFullDiskIsAnErrorAndLeavesTheOlderFile) {
  // The limit of a file's size stands in for the disk's.
  const TemporaryFolder folder;
  folder.write("out", "older");
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = error_of([&] {
      AtomicFile file(folder.path("out"));
      for (int i = 0; i < 200; ++i) file.write(std::string(1000, 'x'));
      file.commit();
    });
    ::_exit(message.ends_with("out: cannot write: File too large") ? 7 : 8);
  });
  EXPECT_EQ(code, 7);
  EXPECT_EQ(folder.read("out"), "older");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, AKilledProcessLeavesTheOlderFile) {
  const TemporaryFolder folder;
  folder.write("out", "older");
  const int code = in_child([&] {
    AtomicFile file(folder.path("out"));
    file.write(std::string(3'000'000, 'x'));
    ::kill(::getpid(), SIGKILL);
  });
  EXPECT_EQ(code, -SIGKILL);
  EXPECT_EQ(folder.read("out"), "older");
}

TEST(AtomicFile, ASignalHandlerCanRemoveAllTemporaries) {
  const TemporaryFolder folder;
  folder.write("a", "older");
  const int code = in_child([&] {
    std::signal(SIGTERM, [](int) {
      AtomicFile::remove_all_temporaries();
      ::_exit(3);
    });
    AtomicFile a(folder.path("a")), b(folder.path("b"));
    a.write("newer");
    b.write(std::string(3'000'000, 'x'));
    ::raise(SIGTERM);
  });
  EXPECT_EQ(code, 3);
  EXPECT_EQ(folder.read("a"), "older");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, RemovedTemporariesCannotBeCommitted) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("out"));
  AtomicFile::remove_all_temporaries();
  EXPECT_THAT(error_of([&] { file.commit(); }), HasSubstr("cannot rename"));
  EXPECT_EQ(folder.files(), 0u);
}

TEST(AtomicFile, MoreFilesThanTheRegistryHolds) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (int i = 0; i < 100; ++i) {
    files.push_back(std::make_unique<AtomicFile>(folder.path(std::to_string(i))));
    files.back()->write(std::to_string(i));
  }
  for (const auto& file : files) file->commit();
  EXPECT_EQ(folder.files(), 100u);
  EXPECT_EQ(folder.read("99"), "99");
}

TEST(KeptFile, ComesBackByteForByte) {
  const TemporaryFolder folder;
  const std::string path = folder.path("x"), bytes("a\0\r\n\xFF", 5);
  for (const std::string& text : {bytes, std::string(), std::string("newer")}) {
    write_kept_file(path, text);
    EXPECT_EQ(read_kept_file(path), text);
  }
}

TEST(KeptFile, WhatIsNoSuchFileIsNothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_kept_file(folder.path("none")), std::nullopt);
  EXPECT_EQ(read_kept_file(folder.path("")), std::nullopt);  // a folder
  write_kept_file(folder.path("x"), "12345");
  EXPECT_EQ(read_kept_file(folder.path("x"), 4), std::nullopt);
  EXPECT_EQ(read_kept_file(folder.path("x"), 5), "12345");
  EXPECT_THROW(write_kept_file(folder.path("no/x"), "1"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path("no")));
}

}  // namespace

}  // namespace wordbridge::atomic_file_test
