// main() of every test program. A program holds the tests of a folder; `--source x_test.cc` runs those of one source.
#include <gmock/gmock.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

namespace {

/// As a filter of GoogleTest; empty if there are none.
std::string tests_of(std::string_view source) {
  const ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  std::string filter;
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(j);
      if (std::filesystem::path(test.file()).filename() == source)
        filter.append(suite.name()).append(".").append(test.name()).append(":");
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  // A program that has threads cannot fork: a test that ends its process is run in a new one.
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  ::testing::InitGoogleMock(&argc, argv);
  if (argc == 1) return RUN_ALL_TESTS();
  if (argc != 3 || std::string_view(argv[1]) != "--source") {
    std::cerr << "usage: " << argv[0] << " [--source x_test.cc] [--gtest_...]\n";
    return 2;
  }
  const std::string filter = tests_of(argv[2]);
  if (filter.empty()) {
    std::cerr << argv[0] << ": no test of " << argv[2] << " is in this program\n";
    return 2;
  }
  // A filter that is given, as to the process of such a test, says more.
  if (::testing::GTEST_FLAG(filter) == "*") ::testing::GTEST_FLAG(filter) = filter;
  return RUN_ALL_TESTS();
}
