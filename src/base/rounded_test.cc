#include "base/rounded.h"

#include <gtest/gtest.h>

namespace wordbridge::rounded_test {
namespace {

TEST(Rounded, ToSixDecimals) {
  EXPECT_EQ(rounded(100.0 / 3), 33.333333);
  EXPECT_EQ(rounded(-0.0000015), -0.000002);
  EXPECT_EQ(rounded(64), 64);
}

}  // namespace
}  // namespace wordbridge::rounded_test
