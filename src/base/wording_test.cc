#include "base/wording.h"

#include <gtest/gtest.h>

#include <vector>

namespace wordbridge::wording_test {

namespace {

TEST(Counted, OneIsNoPlural) {
  EXPECT_EQ(counted(0, "word"), "0 words");
  EXPECT_EQ(counted(1, "word"), "1 word");
  EXPECT_EQ(counted(1'000'000, "source word"), "1000000 source words");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
}

TEST(Rounded, ToSixDecimals) {
  EXPECT_EQ(rounded(100.0 / 3), 33.333333);
  EXPECT_EQ(rounded(-0.0000015), -0.000002);
  EXPECT_EQ(rounded(64), 64);
}

const std::vector<std::string> kNames = {"--method", "--normalize", "--max-words", "--json"};

TEST(Closest, FindsSlipsOfThePen) {
  EXPECT_EQ(closest("--metod", kNames), "--method");
  EXPECT_EQ(closest("--normalise", kNames), "--normalize");
  EXPECT_EQ(closest("--maxwords", kNames), "--max-words");
  EXPECT_EQ(closest("--method", kNames), "--method");
  EXPECT_EQ(closest("--jsno", kNames), "--json");
  EXPECT_EQ(closest("aling", std::vector<std::string>{"align"}), "align");
}

TEST(Closest, LeavesTheRestAlone) {
  EXPECT_EQ(closest("--verbose", kNames), "");
  EXPECT_EQ(closest("", kNames), "");
  EXPECT_EQ(closest("--method", {}), "");
}

}  // namespace

}  // namespace wordbridge::wording_test
