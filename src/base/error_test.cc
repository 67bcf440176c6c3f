#include "wordbridge/error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace wordbridge::error_test {
namespace {

TEST(Error, NamesFileLineAndReason) {
  const InputError error("wiki.es.vec", 7, "300 numbers are wanted");
  EXPECT_STREQ(error.what(), "wiki.es.vec:7: 300 numbers are wanted");
  EXPECT_EQ(error.path(), "wiki.es.vec");
  EXPECT_EQ(error.line(), 7u);
  EXPECT_EQ(error.reason(), "300 numbers are wanted");
}

TEST(Error, ANulDoesNotCutIt) {
  const InputError error("list.toml", 2, std::string("'e\0n' cannot be a name: \0", 25));
  EXPECT_STREQ(error.what(), "list.toml:2: 'e\\x00n' cannot be a name: \\x00");
}

TEST(Error, LeavesOutALineThatDoesNotApply) {
  EXPECT_STREQ(InputError("wiki.es.vec", 0, "No such file or directory").what(),
               "wiki.es.vec: No such file or directory");
}

TEST(Error, BothKindsAreErrors) {
  EXPECT_THROW(throw InputError("a", 1, "b"), Error);
  EXPECT_THROW(throw UsageError("k must be positive"), Error);
  EXPECT_THROW(throw UsageError("k must be positive"), std::runtime_error);
}

TEST(Error, WhatTheSystemRefusedKeepsItsNumber) {
  const IoError error("wiki.es.vec", "cannot open", ENOENT);
  EXPECT_STREQ(error.what(), "wiki.es.vec: cannot open: No such file or directory");
  EXPECT_EQ(error.path(), "wiki.es.vec");
  EXPECT_EQ(error.error_number(), ENOENT);
}

TEST(Error, SystemReasonIsTheNameOfTheError) { EXPECT_EQ(system_reason(ENOENT), "No such file or directory"); }

}  // namespace
}  // namespace wordbridge::error_test
