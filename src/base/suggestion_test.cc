#include "base/suggestion.h"

#include <gtest/gtest.h>

#include <vector>

namespace wordbridge::suggestion_test {
namespace {

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
}  // namespace wordbridge::suggestion_test
