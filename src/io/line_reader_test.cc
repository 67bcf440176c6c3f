#include "io/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::line_reader_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> lines_of(std::string text) {
  MemoryStream stream(std::move(text));
  LineReader reader(stream, "a poem");
  std::vector<std::string> lines;
  while (const auto line = reader.next()) {
    lines.emplace_back(*line);
    EXPECT_EQ(reader.number(), lines.size());
  }
  return lines;
}

TEST(LineReader, GivesLinesWithoutTheirEnds) {
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("one"), ElementsAre("one"));
  EXPECT_THAT(lines_of("one\n\ntwo\r\n"), ElementsAre("one", "", "two\r"));
}

TEST(LineReader, DropsAByteOrderMarkAtTheBeginningOnly) {
  EXPECT_THAT(lines_of("\xef\xbb\xbfone\n\xef\xbb\xbftwo"), ElementsAre("one", "\xef\xbb\xbftwo"));
}

TEST(LineReader, LinesMayBeLongerThanABlock) {
  const std::string line(200'000, 'x');
  EXPECT_THAT(lines_of("a\n" + line + "\nb\n" + line), ElementsAre("a", line, "b", line));
}

TEST(LineReader, EndlessLinesAreRefused) {
  try {
    lines_of("first\n" + std::string((std::size_t{64} << 20) + 200'000, 'x'));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 2);
    EXPECT_THAT(error.what(), HasSubstr("not a poem"));
  }
}

}  // namespace
}  // namespace wordbridge::line_reader_test
