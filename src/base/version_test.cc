#include "wordbridge/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wordbridge::version_test {
namespace {

TEST(Version, IsThreeNumbers) {
  EXPECT_THAT(std::string(version()), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace wordbridge::version_test
