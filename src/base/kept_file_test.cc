#include "base/kept_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::kept_file_test {
namespace {

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
}  // namespace wordbridge::kept_file_test
