#include "base/counted.h"

#include <gtest/gtest.h>

namespace wordbridge::counted_test {
namespace {

TEST(Counted, OneIsNoPlural) {
  EXPECT_EQ(counted(0, "word"), "0 words");
  EXPECT_EQ(counted(1, "word"), "1 word");
  EXPECT_EQ(counted(1'000'000, "source word"), "1000000 source words");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
}

}  // namespace
}  // namespace wordbridge::counted_test
