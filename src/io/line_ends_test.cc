#include "io/line_ends.h"

#include <gtest/gtest.h>

#include <string>

#include "io/memory_stream_test_support.h"

namespace wordbridge::line_ends_test {
namespace {

/// What comes out when so many bytes are read at once.
std::string read_all(const std::string& text, std::size_t bytes) {
  MemoryStream stream(text);
  LineEnds ends(stream);
  std::string buffer(bytes, '?'), result;
  while (const std::size_t count = ends.read(buffer.data(), bytes)) result.append(buffer, 0, count);
  return result;
}

TEST(LineEnds, CarriageReturnsAloneAreNewlines) {
  for (const std::size_t bytes : {1, 2, 3, 100}) {
    EXPECT_EQ(read_all("one\rtwo\r\rthree\r", bytes), "one\ntwo\n\nthree\n") << bytes;
    EXPECT_EQ(read_all("one\rtwo\nthree\r\n", bytes), "one\rtwo\nthree\r\n") << bytes;
    EXPECT_EQ(read_all("one", bytes), "one") << bytes;
  }
}

TEST(LineEnds, LinesMayBeLong) {
  const std::string begin(100'000, 'x');
  for (const std::size_t bytes : {1000, 65'536, 200'000}) {
    EXPECT_EQ(read_all(begin + "\rtwo\r", bytes), begin + "\ntwo\n") << bytes;
    EXPECT_EQ(read_all(begin + "\r\ntwo\rthree\r\n", bytes), begin + "\r\ntwo\rthree\r\n") << bytes;
  }
}

TEST(LineEnds, NewlinesFarBehindDoNotMakeEmptyLines) {
  const std::string begin(70'000, 'x');
  for (const std::size_t bytes : {1, 1000, 200'000})
    EXPECT_EQ(read_all("one\r" + begin + "\rtwo\r\nthree\n", bytes), "one\n" + begin + "\ntwo\r\nthree\n") << bytes;
}

}  // namespace
}  // namespace wordbridge::line_ends_test
