#include "evaluation/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::fields_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Fields, Trim) {
  EXPECT_EQ(trim(" \t a b \r"), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \t\r "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Fields, SplitAtBlanks) {
  EXPECT_THAT(split_at_blanks("  one two\tthree \r"), ElementsAre("one", "two", "three"));
  EXPECT_THAT(split_at_blanks(" "), IsEmpty());
  EXPECT_THAT(split_at_blanks(""), IsEmpty());
}

TEST(Fields, SplitAt) {
  EXPECT_THAT(split_at("New York\t Paris \t3\r", '\t'), ElementsAre("New York", "Paris", "3"));
  EXPECT_THAT(split_at(",a,", ','), ElementsAre("", "a", ""));
  EXPECT_THAT(split_at("", ','), ElementsAre(""));
}

}  // namespace
}  // namespace wordbridge::fields_test
